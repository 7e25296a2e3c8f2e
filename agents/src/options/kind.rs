//! Kinds of values: what an option accepts, by its schema, and how a text of a command line is read.

use super::{hint, shown, whole_number};
use serde_json::{Number, Value};

/// The kind of values that an option accepts.
pub(super) enum Kind {
    /// Negative texts are no numbers at all where 64 bits without a sign are read.
    Whole {
        low: i128,
        high: i128,
        /// What accepted numbers are multiples of.
        unit: i128,
        signed: bool,
        /// Whether the schema names the limit above.
        limited: bool,
    },
    Real {
        low: f64,
        high: f64,
    },
    Choice(Vec<Value>),
    Text,
    /// Values of these kinds, and all further ones of the last.
    List(Vec<Self>, Box<Self>),
    /// One of these values, or none, which is written `null`.
    Optional(Box<Self>),
    /// A type with a reader of its own.
    Own,
}

impl Kind {
    /// The kind that this schema describes.
    pub(super) fn of(schema: &Value) -> Self {
        if let Some(schema) = of_option(schema) {
            return Self::Optional(Box::new(Self::of(&schema)));
        }
        if let Some(choices) = choices(schema) {
            return Self::Choice(choices);
        }
        match schema["type"].as_str() {
            Some("boolean") => Self::Choice(vec![true.into(), false.into()]),
            Some("integer") => {
                let (low, high) = integers(schema["format"].as_str().unwrap_or_default());
                let whole = |name: &str| {
                    let number = &schema[name];
                    number.as_i64().map(i128::from).or(number.as_u64().map(i128::from))
                };
                let (low, high) = (whole("minimum").unwrap_or(low), whole("maximum").unwrap_or(high));
                let unit = whole("multipleOf").unwrap_or(1);
                let limited = whole("maximum").is_some();
                Self::Whole { low, high, unit, signed: high <= i128::from(i64::MAX), limited }
            }
            Some("number") => {
                // A larger one would become infinite.
                let most = if schema["format"] == "float" { f32::MAX.into() } else { f64::MAX };
                let limit = |name: &str| schema[name].as_f64();
                Self::Real { low: limit("minimum").unwrap_or(-most), high: limit("maximum").unwrap_or(most) }
            }
            Some("string") => Self::Text,
            Some("array") => {
                let places = schema["prefixItems"].as_array().into_iter().flatten().map(Self::of);
                Self::List(places.collect(), Box::new(Self::of(&schema["items"])))
            }
            _ => Self::Own,
        }
    }

    /// Whether the values are numbers, or none.
    pub(super) fn is_number(&self) -> bool {
        match self {
            Self::Whole { .. } | Self::Real { .. } => true,
            Self::Optional(kind) => kind.is_number(),
            _ => false,
        }
    }

    /// The accepted values, where they can be listed.
    pub(super) fn values(&self) -> Vec<String> {
        match self {
            Self::Choice(choices) => choices.iter().map(shown).collect(),
            Self::Optional(kind) => {
                let mut values = kind.values();
                values.extend((!values.is_empty()).then(|| shown(&Value::Null)));
                values
            }
            _ => Vec::new(),
        }
    }

    /// The least and the greatest number that is accepted, as far as a reader should know: not the limits of a type of 32 bits or
    /// more, unless the option names them, and not the 0 of a number without a sign that has no other limit.
    pub(super) fn range(&self) -> (Option<Number>, Option<Number>) {
        match self {
            Self::Whole { low: 0, high, limited: false, .. } if *high >= i32::MAX.into() => (None, None),
            Self::Whole { low, high, limited, .. } => {
                let limits = i128::from(i32::MIN) + 1..i32::MAX.into();
                let limit = |end: i128, named: bool| {
                    Number::from_i128(end).filter(|_| named || limits.contains(&end))
                };
                (limit(*low, false), limit(*high, *limited))
            }
            Self::Real { low, high } => {
                let limit = |end: f64| Number::from_f64(end).filter(|_| end.abs() < f32::MAX.into());
                (limit(*low), limit(*high))
            }
            Self::Optional(kind) => kind.range(),
            _ => (None, None),
        }
    }

    /// The given value in the option's own type, or the reason for a refusal.
    pub(super) fn read(&self, given: &Value) -> Result<Value, String> {
        let text = shown(given);
        match self {
            Self::Choice(choices) => {
                let chosen = choices.iter().find(|choice| shown(choice) == text).cloned();
                chosen.ok_or_else(|| {
                    let names = self.values();
                    if choices.iter().all(Value::is_boolean) {
                        return format!("expected {}", names.join(" or "));
                    }
                    let hint = hint(&text, names.iter().map(String::as_str));
                    format!("expected one of {}{hint}", names.join(", "))
                })
            }
            Self::Whole { low, high, unit, signed, .. } => {
                let in_range = || match unit {
                    1 => format!("expected a whole number from {low} to {high}"),
                    _ => format!("expected a multiple of {unit} from {low} to {high}"),
                };
                // As data 3.0 and 1e3 are no whole numbers. One beyond 64 bits comes in this form, too.
                if let Some(number) = given.as_f64().filter(|_| given.is_f64()) {
                    let fits =
                        number.abs() < 2_f64.powi(63) || (*low as f64..=*high as f64).contains(&number);
                    let written = if fits { ", without a point or an exponent" } else { "" };
                    return Err(in_range() + written);
                }
                let number = whole_number(&text).filter(|&number| *signed || number >= 0);
                let fits = |number: &i128| (low..=high).contains(&number) && number % unit == 0;
                let number = number.filter(fits).ok_or_else(in_range)?;
                Ok(i64::try_from(number).map_or_else(|_| Value::from(number as u64), Value::from))
            }
            Self::Real { low, high } => match text.parse::<f64>() {
                Ok(number) if (low..=high).contains(&&number) => Ok(number.into()),
                _ if (*low, *high) == (f64::MIN, f64::MAX) => Err("expected a number".to_owned()),
                _ => Err(format!("expected a number from {} to {}", short(*low), short(*high))),
            },
            Self::Text => Ok(text.into()),
            Self::List(places, rest) => {
                let list = match given {
                    Value::Array(list) => Some(list.clone()),
                    Value::String(_) => serde_json::from_str::<Vec<Value>>(&text).ok(),
                    _ => None,
                };
                let list = list.ok_or("expected a list, such as [1,2] or [\"a\",\"b\"]")?;
                let item = |(place, item): (usize, &Value)| {
                    let read = match (places.get(place).unwrap_or(rest), item) {
                        (Self::Text, Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
                            Err("expected a text".to_owned())
                        }
                        (kind, item) => kind.read(item),
                    };
                    read.map_err(|reason| format!("item {}: {reason}", place + 1))
                };
                list.iter().enumerate().map(item).collect()
            }
            Self::Optional(_) if text == shown(&Value::Null) => Ok(Value::Null),
            Self::Optional(kind) => kind.read(given).map_err(|reason| format!("{reason}, or null")),
            Self::Own => Ok(given.clone()),
        }
    }
}

/// The values of an enum without data. Variants with a doc comment each have a schema, and the others have one together.
fn choices(schema: &Value) -> Option<Vec<Value>> {
    if let Some(choice) = schema.get("const") {
        return Some(vec![choice.clone()]);
    }
    match (&schema["enum"], &schema["oneOf"]) {
        (Value::Array(values), _) => Some(values.clone()),
        (_, Value::Array(variants)) => {
            variants.iter().map(choices).collect::<Option<Vec<_>>>().map(|all| all.concat())
        }
        _ => None,
    }
}

/// The schema of the values of an `Option` other than none.
fn of_option(schema: &Value) -> Option<Value> {
    let alternatives = |name: &str| schema[name].as_array().map(Vec::as_slice);
    match (alternatives("anyOf"), alternatives("type")) {
        (Some([some, none]), _) if none["type"] == "null" => Some(some.clone()),
        (_, Some([some, none])) if none == "null" => {
            let mut schema = schema.clone();
            schema["type"] = some.clone();
            if let Some(choices) = schema["enum"].as_array_mut() {
                choices.retain(|choice| !choice.is_null());
            }
            Some(schema)
        }
        _ => None,
    }
}

/// A limit without hundreds of digits.
fn short(limit: f64) -> String {
    if limit.abs() < 1e15 { limit.to_string() } else { format!("{limit:e}") }
}

/// The range of a type of whole numbers, by its name in a schema.
fn integers(format: &str) -> (i128, i128) {
    match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" | "uint" => (0, u64::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}
