//! JSON that is read to the letter, where other readers would guess.

use knave_agents::options::Fields;
use serde::de::{Deserialize, Deserializer, Error, Expected, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::{Number, Value};
use std::fmt;

/// A value in which no key comes twice. Of one that does other readers take the first or the last, and a referee must not
/// leave it to them what a record says.
#[derive(Clone, Debug, PartialEq)]
pub struct Unique(pub Value);

/// An object in which no key comes twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UniqueFields(pub Fields);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader { object: false }).map(Self)
    }
}

impl<'de> Deserialize<'de> for UniqueFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_map(Reader { object: true })? {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(D::Error::custom("expected an object")),
        }
    }
}

/// An error of one line of a file, whose number callers name: the reader of that line always says line 1.
pub fn of_line(error: &str) -> String {
    match error.rsplit_once(" at line 1 column ") {
        Some((reason, column)) => format!("{reason} at column {column}"),
        None => error.to_owned(),
    }
}

struct Reader {
    /// Whether nothing but an object will do.
    object: bool,
}

impl Reader {
    fn value<E: Error>(&self, value: Value) -> Result<Value, E> {
        if self.object { Err(E::custom(format!("expected an object, not {value}"))) } else { Ok(value) }
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.object { "an object" } else { "a value" })
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.value(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.value(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.value(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.value(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        // JSON has no such numbers, but TOML: as texts they can be shown in refusals.
        let text = || if value.is_nan() { "nan".to_owned() } else { value.to_string() };
        self.value(Number::from_f64(value).map_or_else(|| text().into(), Value::Number))
    }

    /// Beyond 64 bits, as TOML may have it.
    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        self.value(value.to_string().into())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        self.value(value.to_string().into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.value(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        self.value(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Fields::new();
        while let Some(name) = entries.next_key::<String>()? {
            let Unique(value) = entries.next_value()?;
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format!("'{name}' stands twice in an object")));
            }
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

/// A value as it stands in names and cells: without the quotes of a text.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// Reads options in which numbers that JSON cannot have are texts, which refusals can show.
///
/// # Errors
/// When there is no object, or a name comes twice.
pub fn fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
    UniqueFields::deserialize(deserializer).map(|UniqueFields(fields)| fields)
}

/// Reads a whole number of 64 bits, such as a seed, and says what is right where there is another.
///
/// # Errors
/// When there is something else, such as a number of 2⁶⁴ or more.
pub fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct Whole;
    impl Visitor<'_> for Whole {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number from 0 to {} (2^64 - 1)", u64::MAX)
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
            Ok(value)
        }

        fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
            u64::try_from(value).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
        }

        fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
            if value.fract() == 0.0 && value >= u64::MAX as f64 {
                return Err(E::custom(format!(
                    "a number of 2^64 or more: expected {}",
                    &self as &dyn Expected
                )));
            }
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
    }
    deserializer.deserialize_u64(Whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal would have another sum once it is read and written again, if a number lost its last digit.
    #[test]
    fn numbers_are_read_to_the_last_digit() {
        let number: f64 = serde_json::from_str("192.61937135766541").unwrap();
        assert_eq!(serde_json::to_string(&number).unwrap(), "192.61937135766541");
    }

    /// What is read is what every other reader reads, or it is refused.
    #[test]
    fn keys_that_come_twice_are_refused() {
        let text = r#"{"a":[1,-2,0.5,{"b":null,"c":true}],"d":"e","f":{}}"#;
        let Unique(value) = serde_json::from_str(text).unwrap();
        assert_eq!(value, serde_json::from_str::<Value>(text).unwrap());
        for twice in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"a":3}}]"#, r#"{"a":1,"\u0061":2}"#] {
            let error = serde_json::from_str::<Unique>(twice).unwrap_err().to_string();
            assert!(error.contains("'a' stands twice"), "{error}");
        }
        assert!(serde_json::from_str::<UniqueFields>("[]").is_err());
    }

    /// A seed that does not fit is named, and not taken for one that does.
    #[test]
    fn whole_numbers_are_read_to_the_last_bit() {
        let read =
            |text: &str| whole(&mut serde_json::Deserializer::from_str(text)).map_err(|e| e.to_string());
        assert_eq!(read("18446744073709551615"), Ok(u64::MAX));
        assert!(read("18446744073709551616").unwrap_err().contains("2^64 or more"));
        for wrong in ["-1", "1.5", "\"1\"", "null"] {
            assert!(read(wrong).unwrap_err().contains("a whole number from 0"), "{wrong}");
        }
    }
}
