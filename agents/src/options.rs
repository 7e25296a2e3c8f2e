//! Options as data: one struct for a set of options, and one reader for all its spellings.
//!
//! Options of agents and rules derive serde's traits and [`JsonSchema`], and implement [`Options`]. Their
//! `Default` is the only place of defaults, their schema that of ranges and meanings. Command lines, presets,
//! transcripts and studies all come here as [`Fields`], so there is one set of checks and messages.

mod doc;
mod kind;
pub mod spread;

pub use doc::{Form, OptionDoc};
use kind::Kind;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, Visitor, value};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::Value;
use std::fmt::Display;

/// Reads data of any form, such as JSON, and says where it does not fit.
///
/// ```
/// let data = serde_json::json!({ "dice": [1, 2, "three"] });
/// let dice = knave_agents::options::read_data::<std::collections::BTreeMap<String, Vec<u8>>, _>(data);
/// assert_eq!(dice.err().as_deref(), Some("dice[2]: invalid type: string \"three\", expected a whole number from 0 to 255"));
/// ```
///
/// # Errors
/// Names the field, unless the message does so itself.
pub fn read_data<'de, T: Deserialize<'de>, D: Deserializer<'de>>(data: D) -> Result<T, String> {
    serde_path_to_error::deserialize(data).map_err(|error| {
        let (path, reason) = (error.path().to_string(), error.inner());
        let reason = plainly(&reason.to_string());
        // A name that breaks off is none, and stands there as a question mark.
        let path = path.trim_end_matches('?').trim_end_matches('.');
        let is_told = path.is_empty() || reason.starts_with("unknown field");
        if is_told { reason } else { format!("{path}: {reason}") }
    })
}

/// Reads JSON text, and says where it does not fit.
///
/// # Errors
/// As [`read_data`], and when something follows.
pub fn read_json<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
    // Only what is refused is worth the time to note the place.
    serde_json::from_str(text).or_else(|refused: serde_json::Error| {
        read_data::<T, _>(&mut serde_json::Deserializer::from_str(text))
            .and_then(|_| Err(plainly(&refused.to_string())))
    })
}

/// What serde expects, and what a reader who knows no Rust is told.
const EXPECTED: [(&str, &str); 19] = [
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number from 0 to 18446744073709551615"),
    ("usize", "a whole number from 0 to 18446744073709551615"),
    ("i8", "a whole number from -128 to 127"),
    ("i16", "a whole number from -32768 to 32767"),
    ("i32", "a whole number from -2147483648 to 2147483647"),
    ("i64", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a boolean", "true or false"),
    ("a character", "a single character"),
    ("a string", "a text"),
    ("a sequence", "a list"),
    ("a tuple of size", "a list of length"),
    ("an array of length", "a list of length"),
    ("a map", "an object"),
    ("string or map", "a text"),
];

/// A message of serde without the names of types.
///
/// ```
/// # use knave_agents::options::plainly;
/// let told = plainly("invalid type: map, expected a sequence at line 3 column 7");
/// assert_eq!(told, "invalid type: map, expected a list at line 3 column 7");
/// assert_eq!(plainly("n: expected u8 or more"), "n: expected u8 or more");
/// let told = plainly("invalid length 0, expected struct Card with 2 elements at line 1 column 2");
/// assert_eq!(told, "invalid length 0, expected an object at line 1 column 2");
/// let told = plainly("unknown variant `win`, expected `wins` or `score`");
/// assert_eq!(told, "unknown variant 'win', expected 'wins' or 'score', did you mean 'wins'?");
/// ```
#[must_use]
pub fn plainly(reason: &str) -> String {
    let told = reason.rsplit_once(", expected ").and_then(|(found, expected)| {
        let (plain, rest) = in_words(expected)?;
        Some(format!("{found}, expected {plain}{rest}"))
    });
    told.or_else(|| named(reason)).unwrap_or_else(|| reason.to_owned())
}

/// What serde expects in plain words, and what follows: the place, if anything.
fn in_words(expected: &str) -> Option<(&'static str, &str)> {
    if let Some(name) = expected.strip_prefix("struct ") {
        let rest = name.trim_start_matches(|letter: char| !letter.is_whitespace());
        // Of a list it says how many there should be.
        let rest = rest.split_once(" element").map_or(rest, |(_, rest)| rest.trim_start_matches('s'));
        return Some(("an object", rest));
    }
    EXPECTED.iter().find_map(|(name, plain)| {
        let rest = expected.strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some((*plain, rest))
    })
}

/// A message about an unknown name, with the nearest one.
fn named(reason: &str) -> Option<String> {
    let is_field = reason.starts_with("unknown field `");
    if !is_field && !reason.starts_with("unknown variant `") {
        return None;
    }
    let mut names = reason.split('`').skip(1).step_by(2);
    let given = names.next()?;
    let hint = hint(given, names);
    // What is said of a value ends with what is right.
    let reason = if !is_field {
        format!("{reason}{hint}")
    } else if hint.is_empty() {
        reason.to_owned()
    } else {
        reason.replacen(&format!("`{given}`,"), &format!("`{given}`{hint};"), 1)
    };
    Some(reason.replace('`', "'"))
}

/// Where a TOML text does not fit, and why, in one line.
///
/// ```
/// # use knave_agents::options::toml_reason;
/// #[derive(Debug, serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Study {
///     seed: u64,
/// }
///
/// let text = "seed = 1\nsead = 2\n";
/// let error = toml::from_str::<Study>(text).err().map(|error| toml_reason(text, &error));
/// assert_eq!(error.as_deref(), Some("line 2: unknown field 'sead', did you mean 'seed'?; expected 'seed'"));
/// let error = toml::from_str::<Study>("").err().map(|error| toml_reason("", &error));
/// assert_eq!(error.as_deref(), Some("missing field 'seed'"));
/// ```
#[must_use]
pub fn toml_reason(text: &str, error: &toml::de::Error) -> String {
    let reason = plainly(error.message()).replace('`', "'");
    match error.span() {
        // What the whole file lacks is missing in no line.
        Some(at) if at.start > 0 || !reason.starts_with("missing field") => {
            format!("line {}: {reason}", line_of(text, at.start))
        }
        _ => reason,
    }
}

/// The line of a place in a text, from 1.
#[must_use]
pub fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
}

/// A set of options, each with a name, a default, a meaning and a range.
///
/// A field is a `bool`, a number of up to 64 bits, a `String`, an enum without data, or an `Option` of one of these, where
/// `null` is none. It may also be a `Vec` or a tuple, which a command line writes as `[1,2]` or `["a","b"]`.
///
/// Any other type reads a text itself, and its schema has to say so, for values are checked against that first. The schema does
/// where serde reads the type by way of a text, as with `#[serde(try_from = "String", into = "String")]`. Where serde's
/// traits are implemented by hand, the field needs `#[schemars(with = "String")]`.
///
/// ```
/// use knave_agents::options::{self, Options};
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #[serde(default, deny_unknown_fields)]
/// struct Bold {
///     /// How often it bets
///     #[schemars(range(min = 0.0, max = 1.0))]
///     share: f64,
/// }
///
/// impl Default for Bold {
///     fn default() -> Self {
///         Self { share: 0.5 }
///     }
/// }
///
/// impl Options for Bold {}
///
/// let given = options::fields("agent bold", ["share=2"])?;
/// let refusal = options::read::<Bold>("agent bold", &given).err().map(|error| error.to_string());
/// assert_eq!(refusal.as_deref(), Some("agent bold: share=2 is refused: expected a number from 0 to 1"));
/// # Ok::<(), options::OptionError>(())
/// ```
pub trait Options:
    Serialize + DeserializeOwned + JsonSchema + Default + Clone + Send + Sync + 'static
{
    /// Old names that still work for one version, as `(old, new)`.
    const RENAMED: &'static [(&'static str, &'static str)] = &[];

    /// The check of options against each other, beyond what each field accepts.
    ///
    /// # Errors
    /// Names the field, its value and what would be right: see [`OptionError::refused`].
    fn check(&self) -> Result<(), OptionError> {
        Ok(())
    }

    /// The names of the options, in the order of listings. A struct that flattens another one overrides it.
    #[must_use]
    fn names() -> Vec<&'static str> {
        field_names::<Self>()
    }
}

/// The names of the fields of a struct, in order.
#[must_use]
pub fn field_names<T: DeserializeOwned>() -> Vec<&'static str> {
    let mut names: &[&str] = &[];
    // The struct hands over the names of its fields before it reads anything.
    let _ = T::deserialize(FieldNames(&mut names));
    names.to_vec()
}

/// Given options by name. A text also stands for a number or a truth value.
pub type Fields = serde_json::Map<String, Value>;

/// An error of options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Not of the form `name=value`.
    #[error("{owner}: '{text}' is not of the form name=value")]
    Form {
        /// Whose options were read.
        owner: String,
        /// What stood there.
        text: String,
    },
    /// It cannot be used here, whatever its options are.
    #[error("{owner}: {reason}")]
    Unfit {
        /// Whose options were read.
        owner: String,
        /// What it needs.
        reason: String,
    },
    /// No such option.
    #[error("{owner} has no option '{name}'{hint}; its options: {valid}")]
    Unknown {
        /// Whose options were read.
        owner: String,
        /// The name that was given.
        name: String,
        /// `, did you mean '…'?` or nothing.
        hint: String,
        /// All names.
        valid: String,
    },
    /// The same option twice.
    #[error("{owner}: option '{name}' is given twice")]
    Twice {
        /// Whose options were read.
        owner: String,
        /// The name.
        name: String,
    },
    /// A value of the wrong type or out of range, or options that contradict each other.
    #[error("{owner}: {name}={value} is refused: {reason}")]
    Value {
        /// Whose options were read.
        owner: String,
        /// The option.
        name: String,
        /// The value that was given.
        value: String,
        /// What would be right.
        reason: String,
    },
}

impl OptionError {
    /// The refusal of a value where the owner of the options is not known, as in [`Options::check`]. Who calls that names it.
    #[must_use]
    pub fn refused(name: &str, value: &dyn Display, reason: impl Into<String>) -> Self {
        let (name, value) = (name.to_owned(), value.to_string());
        Self::Value { owner: String::new(), name, value, reason: reason.into() }
    }

    /// The same error about the options of `owner`, unless it says itself whose they are.
    #[must_use]
    pub fn of(mut self, whose: &str) -> Self {
        let (Self::Form { owner, .. }
        | Self::Unfit { owner, .. }
        | Self::Unknown { owner, .. }
        | Self::Twice { owner, .. }
        | Self::Value { owner, .. }) = &mut self;
        if owner.is_empty() {
            whose.clone_into(owner);
        }
        self
    }
}

/// Reads `name=value` texts, as a command line has them.
///
/// # Errors
/// When a text has no `=` or no name, or when a name comes twice.
pub fn fields<'a>(owner: &str, texts: impl IntoIterator<Item = &'a str>) -> Result<Fields, OptionError> {
    let mut fields = Fields::new();
    for text in texts {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => (name.trim(), value.trim()),
            _ => return Err(OptionError::Form { owner: owner.to_owned(), text: text.to_owned() }),
        };
        if fields.insert(name.to_owned(), value.into()).is_some() {
            return Err(OptionError::Twice { owner: owner.to_owned(), name: name.to_owned() });
        }
    }
    Ok(fields)
}

/// Puts `over` on top of `base`: a name that stands in both keeps the value of `over`.
#[must_use]
pub fn overlay(mut base: Fields, over: &Fields) -> Fields {
    base.extend(over.clone());
    base
}

/// Renames options that were given by old names, with a note for each.
///
/// # Errors
/// When an option is given under both names.
pub fn rename(
    owner: &str,
    mut given: Fields,
    renamed: &[(&str, &str)],
) -> Result<(Fields, Vec<String>), OptionError> {
    let mut notes = Vec::new();
    for &(old, new) in renamed {
        let Some(value) = given.remove(old) else { continue };
        if given.insert(new.to_owned(), value).is_some() {
            return Err(OptionError::Twice { owner: owner.to_owned(), name: new.to_owned() });
        }
        notes.push(format!("option '{old}' of {owner} is now called '{new}'"));
    }
    Ok((given, notes))
}

/// Reads the options of `owner`, an agent or a game that messages name. Missing options have their defaults.
///
/// # Errors
/// On an unknown name (the nearest one is suggested), a refused value, and options that contradict each other.
pub fn read<T: Options>(owner: &str, given: &Fields) -> Result<T, OptionError> {
    let fields = read_each::<T>(owner, given)?;
    let options: T =
        from_fields(fields).map_err(|reason| OptionError::refused("options", &"", reason).of(owner))?;
    options.check().map_err(|error| error.of(owner))?;
    Ok(options)
}

/// Reads options each by itself, whatever they are together.
pub(crate) fn read_each<T: Options>(owner: &str, given: &Fields) -> Result<Fields, OptionError> {
    let (given, _) = rename(owner, given.clone(), T::RENAMED)?;
    let properties = properties::<T>();
    if let Some(name) = given.keys().find(|name| properties.iter().all(|known| known.name != **name)) {
        let names = properties.iter().map(|known| known.name);
        return Err(OptionError::Unknown {
            owner: owner.to_owned(),
            name: name.clone(),
            hint: hint(name, names.clone()),
            valid: listed(names),
        });
    }
    let mut fields = Fields::new();
    for property in &properties {
        let Some(value) = given.get(property.name) else { continue };
        // 3.0 is shown as that, for it is refused where 3 is not.
        let found = if value.is_f64() { value.to_string() } else { shown(value) };
        let refused = |reason: String| OptionError::refused(property.name, &found, reason).of(owner);
        let value = property.kind.read(value).map_err(refused)?;
        // One by one, for serde does not say which field it refuses.
        let alone = Fields::from_iter([(property.name.to_owned(), value.clone())]);
        from_fields::<T>(alone).map_err(refused)?;
        fields.insert(property.name.to_owned(), value);
    }
    Ok(fields)
}

/// Checks options that were made in Rust, as [`read`] checks given ones.
///
/// # Errors
/// As [`read`].
pub fn validate<T: Options>(owner: &str, options: &T) -> Result<(), OptionError> {
    read::<T>(owner, &recorded(options)).map(|_| ())
}

/// Whether an option has the default of its type, mostly 0, false or empty. Options that do nothing then are left out where they
/// are recorded, so that records are those of the time before there was the option. Where a game has another
/// default they are recorded all the same.
#[must_use]
pub fn is_nothing<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The options as data, as manifests and transcripts record them.
#[must_use]
pub fn recorded<T: Options>(options: &T) -> Fields {
    match serde_json::to_value(options) {
        Ok(Value::Object(fields)) => fields,
        _ => Fields::new(),
    }
}

/// The same in a game with defaults of its own. An option that is off where the game has it on is recorded all the same, as it was
/// given.
#[must_use]
pub fn recorded_beside<T: Options>(options: &T, given: &Fields, defaults: &Fields) -> Fields {
    let mut record = recorded(options);
    for property in properties::<T>().iter().filter(|property| defaults.contains_key(property.name)) {
        if !record.contains_key(property.name)
            && let Some(Ok(value)) = given.get(property.name).map(|value| property.kind.read(value))
        {
            record.insert(property.name.to_owned(), value);
        }
    }
    record
}

/// The options of `T` in the order of its fields.
#[must_use]
pub fn describe<T: Options>() -> Vec<OptionDoc> {
    let doc = |property: Property| {
        let (min, max) = property.kind.range();
        OptionDoc {
            name: property.name.to_owned(),
            default: property.default,
            values: property.kind.values(),
            min,
            max,
            meaning: property.meaning,
            form: property.form,
        }
    };
    properties::<T>().into_iter().map(doc).collect()
}

/// Whether an option of `T` is a text.
pub(crate) fn is_text<T: Options>(name: &str) -> bool {
    properties::<T>().iter().any(|property| property.name == name && matches!(property.kind, Kind::Text))
}

/// Reads a whole number: digits, with underscores between them where they help, or a short form like `1e6`.
///
/// ```
/// # use knave_agents::options::whole_number;
/// for text in ["1000000", "1_000_000", "1e6"] {
///     assert_eq!(whole_number(text), Some(1_000_000));
/// }
/// assert_eq!(whole_number("-1"), Some(-1));
/// assert_eq!(whole_number("1.5"), None);
/// ```
#[must_use]
pub fn whole_number(text: &str) -> Option<i128> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let text = text.strip_prefix('+').filter(|_| sign == 1).unwrap_or(text);
    if text.starts_with('_') || text.ends_with('_') {
        return None;
    }
    let digits = text.replace('_', "");
    let (digits, zeros) = digits.split_once(['e', 'E']).unwrap_or((&digits, "0"));
    let are_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !are_digits(digits) || !are_digits(zeros) {
        return None;
    }
    let number = 10_i128.checked_pow(zeros.parse().ok()?)?.checked_mul(digits.parse().ok()?)?;
    Some(sign * number)
}

/// A value as it stands in `name=value`.
#[must_use]
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// The hint `, did you mean '…'?` for the name nearest to `given`, or nothing.
#[must_use]
pub fn hint<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(given, names).map_or_else(String::new, |name| format!(", did you mean '{name}'?"))
}

/// The name nearest to `given`, capital or small, if one is near. Two letters that change places count as one mistake.
#[must_use]
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    // A letter alone is near to itself.
    let is_letter = given.chars().nth(1).is_none();
    let nearness = |name: &str| {
        let name = name.to_lowercase();
        if is_letter {
            return f64::from(u8::from(given == name));
        }
        let one_mistake = strsim::osa_distance(&given, &name) <= 1 && name.len() > 2;
        if one_mistake { 1.0 } else { strsim::jaro_winkler(&given, &name) }
    };
    let near = names.into_iter().map(|name| (nearness(name), name)).filter(|&(nearness, _)| nearness > 0.7);
    near.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// The names separated by commas, or `none`.
#[must_use]
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn from_fields<T: Options>(fields: Fields) -> Result<T, String> {
    T::deserialize(Value::Object(fields)).map_err(|error| plainly(&error.to_string()))
}

/// An option, as its schema describes it.
struct Property {
    name: &'static str,
    kind: Kind,
    default: String,
    meaning: String,
    form: Form,
}

fn properties<T: Options>() -> Vec<Property> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let property = |name: &'static str| {
        let schema = &schema["properties"][name];
        // A paragraph is one line, and a line ends without a full stop.
        let text = schema["description"].as_str().unwrap_or_default();
        let meaning = text.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        let meaning = meaning.strip_suffix('.').unwrap_or(&meaning).to_owned();
        let (kind, default) = (Kind::of(schema), &schema["default"]);
        let form = match (&kind, default) {
            (kind, _) if kind.is_number() => Form::Number,
            // A type with a reader of its own may be a list, too.
            (Kind::List(..), _) | (_, Value::Array(_)) => Form::List,
            _ => Form::Other,
        };
        Property { name, kind, default: shown(default), meaning, form }
    };
    T::names().into_iter().map(property).collect()
}

/// A deserializer that only keeps the names of a struct's fields.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, value::Error> {
        *self.0 = fields;
        Err(value::Error::custom("only the names were asked for"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(value::Error::custom("only structs have fields"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests;
