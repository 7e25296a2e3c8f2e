//! Errors of models.

/// An error of a model: it is damaged, does not fit the game, or cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The first line is no header.
    #[error("the model's first line is no header: {0}")]
    Header(String),
    /// A field of the header does not fit.
    #[error("the model is for {field} {found}, not {expected}")]
    Other {
        /// The field.
        field: &'static str,
        /// What the file says.
        found: String,
        /// What would fit.
        expected: String,
    },
    /// It was not trained for an option of the rules.
    #[error("the model was not trained for {option}={value}, but for {trained}")]
    Rules {
        /// The option.
        option: String,
        /// What was asked for.
        value: String,
        /// What it was trained for.
        trained: String,
    },
    /// It chooses steps, and values nothing.
    #[error(
        "the model is of a policy (method=policy_gradient), and its numbers are no values of positions: name it as a policy"
    )]
    Policy,
    /// The header or the weights are not those that were written.
    #[error("the model is not as it was written: its checksum is wrong")]
    Changed,
    /// A mean of no models was asked for.
    #[error("at least one model is needed")]
    Empty,
    /// A mean of a mean was asked for, whose record would not tell how much each net counts.
    #[error("one of the models is a mean of several: give their nets one by one")]
    Nested,
    /// The file ends early or late.
    #[error("the model has {found} bytes of weights where its shape needs {expected}")]
    Length {
        /// Bytes in the file.
        found: usize,
        /// Bytes that the shape needs.
        expected: usize,
    },
    /// The weights are so large that a sum of the net would not fit.
    #[error("the model's weights are too large: a sum of them can reach {0}, beyond 32 bits")]
    Sum(i64),
    /// A weight is too large for a whole number, or none.
    #[error("a weight of the net, {0}, cannot be rounded to 16 bits")]
    Range(String),
    /// A sum of the first layer would not fit, in whatever unit.
    #[error(
        "sums of the net's first layer may reach {0}, beyond 16 bits in quarters: train with a smaller rate or first_rate"
    )]
    FirstLayer(String),
}

/// Stands for the value of an option that records leave out where it has its default.
pub(super) const ITS_DEFAULT: &str = "its default";

impl ModelError {
    /// Whether the model may do under other rules.
    pub(crate) fn is_about_rules(&self) -> bool {
        matches!(self, Self::Rules { .. } | Self::Other { field: "rules", .. })
    }

    /// The same with the default of an option, which the data of rules do not tell where they leave it out.
    #[must_use]
    pub fn with_default(self, of: impl Fn(&str) -> Option<String>) -> Self {
        match self {
            Self::Rules { option, value, trained } => {
                let default = of(&option).unwrap_or_else(|| ITS_DEFAULT.to_owned());
                let told = |text: String| text.replace(ITS_DEFAULT, &default);
                Self::Rules { value: told(value), trained: told(trained), option }
            }
            other => other,
        }
    }
}

/// Says that a field of the header does not fit.
pub(super) fn other(field: &'static str, found: &dyn ToString, expected: &dyn ToString) -> ModelError {
    ModelError::Other { field, found: found.to_string(), expected: expected.to_string() }
}
