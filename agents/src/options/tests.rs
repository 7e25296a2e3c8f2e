//! Options of a sample: read, refused, checked, renamed and described.

use super::*;
use serde::Deserialize;
use serde_json::Number;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Sample {
    /// How many.
    #[schemars(range(min = 1, max = 9))]
    how_many: u32,
    /// Which.
    colour: Colour,
    /// How much, in parts
    /// of one.
    ///
    /// No more of this is shown.
    #[schemars(range(min = 0.0, max = 2.0))]
    amount: f64,
    /// Whether.
    really: bool,
    /// A number without limits, a multiple of 5
    #[schemars(extend("multipleOf" = 5))]
    nodes: u64,
}

#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    /// Like fire.
    Red,
    /// Like grass.
    Green,
}

impl Default for Sample {
    fn default() -> Self {
        Self { how_many: 3, colour: Colour::Red, amount: 1.0, really: true, nodes: 5 }
    }
}

impl Options for Sample {
    const RENAMED: &'static [(&'static str, &'static str)] = &[("count", "how_many")];

    fn check(&self) -> Result<(), OptionError> {
        if self.colour == Colour::Green && !self.really {
            return Err(OptionError::refused("really", &self.really, "green is always real"));
        }
        Ok(())
    }
}

fn read(text: &str) -> Result<Sample, OptionError> {
    let fields = fields("sample", text.split(',').filter(|t| !t.is_empty()))?;
    super::read("sample", &fields)
}

#[test]
fn defaults_and_values_are_read() {
    assert_eq!(read("").unwrap(), Sample::default());
    let other = Sample { how_many: 9, colour: Colour::Green, amount: 0.25, ..Sample::default() };
    assert_eq!(read("colour=green,amount=0.25,how_many=9").unwrap(), other);
    assert_eq!(read("nodes=18446744073709551615").unwrap().nodes, u64::MAX);
}

/// Texts and values of the right type are the same to the reader.
#[test]
fn texts_stand_for_values() {
    let data = serde_json::json!({"how_many": 4, "amount": 2, "really": false, "nodes": u64::MAX});
    let Value::Object(data) = data else { unreachable!() };
    let texts = read("how_many=4,amount=2,really=false,nodes=18446744073709551615").unwrap();
    assert_eq!(super::read::<Sample>("sample", &data).unwrap(), texts);
    let again: Sample = super::read("sample", &recorded(&texts)).unwrap();
    assert_eq!(again, texts);
    assert_eq!(read("how_many=+4,nodes=2_5e3").unwrap(), read("how_many=4,nodes=25000").unwrap());
    for (name, value, reason) in [
        (
            "how_many",
            4.0,
            "4.0 is refused: expected a whole number from 1 to 9, without a point or an exponent",
        ),
        (
            "how_many",
            1e3,
            "1000.0 is refused: expected a whole number from 1 to 9, without a point or an exponent",
        ),
        (
            "nodes",
            1e19,
            "1e+19 is refused: expected a multiple of 5 from 0 to 18446744073709551615, without a point or an exponent",
        ),
        // So a whole number beyond 64 bits is read.
        ("how_many", 1e30, "1e+30 is refused: expected a whole number from 1 to 9"),
        ("how_many", -1e30, "-1e+30 is refused: expected a whole number from 1 to 9"),
        ("nodes", 1e30, "1e+30 is refused: expected a multiple of 5 from 0 to 18446744073709551615"),
    ] {
        let data = Fields::from_iter([(name.to_owned(), value.into())]);
        let error = super::read::<Sample>("sample", &data).unwrap_err().to_string();
        assert_eq!(error, format!("sample: {name}={reason}"));
    }
}

/// Each refusal names the field, the value and what would be right.
#[test]
fn refusals_say_what_would_be_right() {
    let message = |text| read(text).unwrap_err().to_string();
    assert_eq!(
        message("how_mny=2"),
        "sample has no option 'how_mny', did you mean 'how_many'?; its options: how_many, colour, amount, \
         really, nodes"
    );
    assert_eq!(message("how_many=0"), "sample: how_many=0 is refused: expected a whole number from 1 to 9");
    assert_eq!(message("how_many=x"), "sample: how_many=x is refused: expected a whole number from 1 to 9");
    assert_eq!(message("how_many="), "sample: how_many= is refused: expected a whole number from 1 to 9");
    assert_eq!(
        message("colour=gren"),
        "sample: colour=gren is refused: expected one of red, green, did you mean 'green'?"
    );
    assert_eq!(message("amount=NaN"), "sample: amount=NaN is refused: expected a number from 0 to 2");
    assert_eq!(message("amount"), "sample: 'amount' is not of the form name=value");
    assert_eq!(message("amount=1,amount=2"), "sample: option 'amount' is given twice");
    assert_eq!(message("colour="), "sample: colour= is refused: expected one of red, green");
    assert_eq!(message("really=yes"), "sample: really=yes is refused: expected true or false");
    assert_eq!(message("really=tru"), "sample: really=tru is refused: expected true or false");
    assert_eq!(
        message("nodes=7"),
        "sample: nodes=7 is refused: expected a multiple of 5 from 0 to 18446744073709551615"
    );
    assert_eq!(
        message("nodes=-1"),
        "sample: nodes=-1 is refused: expected a multiple of 5 from 0 to 18446744073709551615"
    );
    assert_eq!(message("colour=green,really=false"), "sample: really=false is refused: green is always real");
}

/// Slips are recognised, capitals are not told apart, and a letter is no slip of a word.
#[test]
fn near_names_are_found() {
    let near = |given| nearest(given, ["c", "width", "worlds"]);
    assert_eq!((near("C"), near("wdith"), near("Worlds")), (Some("c"), Some("width"), Some("worlds")));
    assert_eq!((near("w"), near("")), (None, None));
}

/// Values that were made in Rust are checked like those that were read.
#[test]
fn made_options_are_checked() {
    assert_eq!(validate("sample", &Sample::default()), Ok(()));
    let wrong = Sample { amount: 2.5, ..Sample::default() };
    let message = validate("sample", &wrong).unwrap_err().to_string();
    assert_eq!(message, "sample: amount=2.5 is refused: expected a number from 0 to 2");
}

#[test]
fn old_names_still_work() {
    assert_eq!(read("count=4").unwrap().how_many, 4);
    assert_eq!(
        read("count=4,how_many=5").unwrap_err().to_string(),
        "sample: option 'how_many' is given twice"
    );
    let (_, notes) = rename("sample", fields("sample", ["count=4"]).unwrap(), Sample::RENAMED).unwrap();
    assert_eq!(notes, ["option 'count' of sample is now called 'how_many'"]);
}

#[test]
fn options_are_described() {
    let docs = describe::<Sample>();
    let names: Vec<&str> = docs.iter().map(|doc| doc.name.as_str()).collect();
    assert_eq!(names, ["how_many", "colour", "amount", "really", "nodes"]);
    let defaults: Vec<&str> = docs.iter().map(|doc| doc.default.as_str()).collect();
    assert_eq!(defaults, ["3", "red", "1", "true", "5"]);
    assert_eq!(docs[1].values, ["red", "green"]);
    assert_eq!(docs[2].meaning, "How much, in parts of one");
    assert_eq!(docs[3].values, ["true", "false"]);
    let ranges = docs.iter().map(|doc| [&doc.min, &doc.max].map(|end| end.as_ref().and_then(Number::as_f64)));
    let [none, one_to_nine, zero_to_two] = [[None; 2], [Some(1.0), Some(9.0)], [Some(0.0), Some(2.0)]];
    assert_eq!(ranges.collect::<Vec<_>>(), [one_to_nine, none, zero_to_two, none, none]);
}

/// The limits of a type of 32 bits are told where the option names them.
#[test]
fn named_limits_are_told() {
    #[derive(Default, Clone, Serialize, Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Wide {
        #[schemars(range(min = 0, max = u32::MAX))]
        named: u32,
        plain: u32,
        #[schemars(range(max = 5))]
        signed: i32,
    }
    impl Options for Wide {}
    let ranges: Vec<_> = describe::<Wide>().into_iter().map(|doc| (doc.min, doc.max)).collect();
    assert_eq!(ranges, [(Some(0.into()), Some(u32::MAX.into())), (None, None), (None, Some(5.into()))]);
}

/// An enum with and without doc comments, whose default has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Half {
    /// The one that is documented
    Told,
    #[default]
    Untold,
    Silent,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Halves {
    /// One
    half: Half,
    /// One, or none
    perhaps: Option<Half>,
}

impl Options for Halves {}

/// Every variant of an enum can be chosen, whether it has a doc comment or not.
#[test]
fn variants_need_no_doc_comments() {
    assert_eq!(validate("halves", &Halves::default()), Ok(()));
    let docs = describe::<Halves>();
    assert_eq!(docs[0].values, ["untold", "silent", "told"]);
    assert_eq!(docs[1].values, ["untold", "silent", "told", "null"]);
    let halves = |text| super::read::<Halves>("halves", &fields("halves", [text]).unwrap());
    assert_eq!(halves("half=told").unwrap().half, Half::Told);
    assert_eq!(halves("perhaps=silent").unwrap().perhaps, Some(Half::Silent));
    assert_eq!(
        halves("half=null").unwrap_err().to_string(),
        "halves: half=null is refused: expected one of untold, silent, told"
    );
}

/// Options that may be missing, and lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Loose {
    /// How many, if any
    #[schemars(range(min = 1, max = 9))]
    how_many: Option<u32>,
    /// How much, if any
    amount: Option<f64>,
    /// Which, if any
    colour: Option<Colour>,
    /// What it is called, if anything
    name: Option<String>,
    /// How much each weighs
    weights: Vec<f64>,
    /// How much, in 32 bits
    small: f32,
    /// How much each weighs, in 32 bits and no less than nothing
    #[schemars(inner(range(min = 0.0)))]
    smalls: Vec<f32>,
    /// Which ones
    colours: Vec<Colour>,
    /// What they are called
    names: Vec<String>,
    /// How many from and to
    pair: (u8, u8),
    /// A letter
    letter: char,
}

impl Options for Loose {}

fn loose(texts: &[&str]) -> Result<Loose, OptionError> {
    super::read("loose", &fields("loose", texts.iter().copied()).unwrap())
}

/// What a listing shows as a default can be given, so can every other value of the type, and what is recorded is read again.
#[test]
fn optional_values_and_lists_are_read_from_text() {
    let docs = describe::<Loose>();
    let shown: Vec<String> = docs.iter().map(|doc| format!("{}={}", doc.name, doc.default)).collect();
    let none = ["how_many=null", "amount=null", "colour=null", "name=null", "weights=[]"];
    assert_eq!(shown[..5], none);
    assert_eq!(docs[2].values, ["red", "green", "null"]);
    let defaults: Vec<&str> = shown.iter().map(String::as_str).collect();
    assert_eq!(loose(&defaults), Ok(Loose::default()));
    let given = [
        "how_many=3",
        "amount=0.5",
        "colour=green",
        "name=3",
        "weights=[1, 2.5]",
        "small=3.4e38",
        "smalls=[0.5]",
        "colours=[\"green\"]",
        "names=[\"a\", 2]",
        "pair=[1,2]",
        "letter=b",
    ];
    let (colour, name, weights) = (Some(Colour::Green), Some("3".to_owned()), vec![1.0, 2.5]);
    let wanted = Loose {
        how_many: Some(3),
        amount: Some(0.5),
        colour,
        name,
        weights,
        small: 3.4e38,
        smalls: vec![0.5],
        colours: vec![Colour::Green],
        names: vec!["a".to_owned(), "2".to_owned()],
        pair: (1, 2),
        letter: 'b',
    };
    assert_eq!(loose(&given), Ok(wanted.clone()));
    assert_eq!(super::read("loose", &recorded(&wanted)), Ok(wanted));
    for (text, refusal) in [
        ("how_many=0", "how_many=0 is refused: expected a whole number from 1 to 9, or null"),
        ("amount=much", "amount=much is refused: expected a number, or null"),
        ("colour=blue", "colour=blue is refused: expected one of red, green, or null"),
        ("weights=1", "weights=1 is refused: expected a list, such as [1,2] or [\"a\",\"b\"]"),
        ("weights=[1,true]", "weights=[1,true] is refused: item 2: expected a number"),
        (
            "colours=[\"gren\"]",
            "colours=[\"gren\"] is refused: item 1: expected one of red, green, did you mean 'green'?",
        ),
        ("pair=[1,256]", "pair=[1,256] is refused: item 2: expected a whole number from 0 to 255"),
        ("names=[\"a\",[2]]", "names=[\"a\",[2]] is refused: item 2: expected a text"),
        ("pair=[1]", "pair=[1] is refused: invalid length 1, expected a list of length 2"),
        ("letter=ab", "letter=ab is refused: invalid value: string \"ab\", expected a single character"),
    ] {
        assert_eq!(loose(&[text]).unwrap_err().to_string(), format!("loose: {refusal}"));
    }
    let weights = Fields::from_iter([("weights".to_owned(), 3.into())]);
    let refused = super::read::<Loose>("loose", &weights).unwrap_err().to_string();
    assert_eq!(refused, "loose: weights=3 is refused: expected a list, such as [1,2] or [\"a\",\"b\"]");
}

/// A number that 32 bits do not hold is refused, alone and in a list: it would become infinite.
#[test]
fn short_numbers_stay_finite() {
    let refusal = |text| loose(&[text]).unwrap_err().to_string();
    assert_eq!(
        refusal("small=1e39"),
        "loose: small=1e39 is refused: expected a number from -3.4028234663852886e38 to 3.4028234663852886e38"
    );
    assert_eq!(
        refusal("smalls=[0,1e39]"),
        "loose: smalls=[0,1e39] is refused: item 2: expected a number from 0 to 3.4028234663852886e38"
    );
    let small = describe::<Loose>().into_iter().find(|doc| doc.name == "small").unwrap();
    assert_eq!((small.min, small.max), (None, None));
}

/// Types that read a text themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Sizes {
    /// Read by way of a text
    size: Size,
    /// Read by a reader of its own
    #[serde(with = "size_as_text")]
    #[schemars(with = "String")]
    other: Plain,
}

impl Options for Sizes {}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
struct Size(u8, u8);

#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
struct Plain(u8, u8);

impl TryFrom<String> for Size {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (width, height) = text.split_once('x').ok_or("expected two numbers, such as 2x3")?;
        let number = |text: &str| text.parse().map_err(|_| "expected small numbers");
        Ok(Self(number(width)?, number(height)?))
    }
}

impl From<Size> for String {
    fn from(Size(width, height): Size) -> Self {
        format!("{width}x{height}")
    }
}

mod size_as_text {
    use super::{Plain, Size};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(size: &Plain, to: S) -> Result<S::Ok, S::Error> {
        Size(size.0, size.1).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Plain, D::Error> {
        Size::deserialize(from).map(|Size(width, height)| Plain(width, height))
    }
}

/// A type of several fields is read from a text where its schema is that of a text, both in the ways that [`Options`] names.
#[test]
fn own_types_read_texts() {
    assert_eq!(validate("sizes", &Sizes::default()), Ok(()));
    let sizes = |texts: [&str; 2]| super::read::<Sizes>("sizes", &fields("sizes", texts).unwrap());
    let read = sizes(["size=2x3", "other=4x5"]).unwrap();
    assert_eq!(read, Sizes { size: Size(2, 3), other: Plain(4, 5) });
    let refusal = sizes(["size=2", "other=4x5"]).unwrap_err().to_string();
    assert_eq!(refusal, "sizes: size=2 is refused: expected two numbers, such as 2x3");
}
