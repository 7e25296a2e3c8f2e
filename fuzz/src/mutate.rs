//! Mutations of valid inputs: what a slip of a hand, a broken disk or ill will makes of them.
//!
//! Random bytes are refused by the first check. These inputs get further: most of them is right.

use crate::choices::Choices;
use serde_json::{Map, Value, json};

/// Texts that readers may stumble over.
const TEXTS: [&str; 41] = [
    "",
    " ",
    "\t",
    "\r",
    "\n",
    "\0",
    "\u{feff}",
    "é",
    "\u{2003}",
    "0",
    "-1",
    "1",
    "2",
    "007",
    "+1",
    "1e3",
    "1.0",
    "-0.0",
    "0.1",
    "1e999",
    "nan",
    "inf",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "null",
    "true",
    "\"",
    "'",
    "\\",
    ",",
    ":",
    "=",
    "..",
    "/",
    MARKUP,
];

/// A text that a page must not hold as it stands.
pub const MARKUP: &str = "<b>&amp";

/// Opening and closing brackets, which nest.
const BRACKETS: [(&str, &str); 3] = [("[", "]"), ("{\"a\":", "}"), ("{a=", "}")];

/// A text like `seed`, changed in a few places; `other` is one more valid text of its kind.
pub fn text(seed: &str, other: &str, choices: &mut Choices<'_>) -> Vec<u8> {
    let mut text = seed.as_bytes().to_vec();
    for _ in 0..=choices.below(4) {
        change(&mut text, other.as_bytes(), choices);
    }
    text
}

/// A text like `seed` that is UTF-8.
pub fn utf8(seed: impl AsRef<str>, other: impl AsRef<str>, choices: &mut Choices<'_>) -> String {
    String::from_utf8_lossy(&text(seed.as_ref(), other.as_ref(), choices)).into_owned()
}

/// A place between two bytes.
fn place(text: &[u8], choices: &mut Choices<'_>) -> usize {
    choices.below(text.len() + 1)
}

/// A stretch of at most `most` bytes.
fn stretch(text: &[u8], most: usize, choices: &mut Choices<'_>) -> (usize, usize) {
    let start = place(text, choices);
    let len = choices.below(most.min(text.len() - start) + 1);
    (start, start + len)
}

fn insert(text: &mut Vec<u8>, at: usize, what: &[u8]) {
    text.splice(at..at, what.iter().copied());
}

/// Makes one change.
pub fn change(text: &mut Vec<u8>, other: &[u8], choices: &mut Choices<'_>) {
    match choices.below(12) {
        0 if !text.is_empty() => {
            let at = choices.below(text.len());
            text[at] ^= 1 << choices.below(8);
        }
        1 if !text.is_empty() => {
            let at = choices.below(text.len());
            text[at] = choices.byte();
        }
        2 => {
            let (start, end) = stretch(text, 40, choices);
            text.drain(start..end);
        }
        3 => {
            let (at, what) = (place(text, choices), *choices.pick(&TEXTS));
            insert(text, at, what.as_bytes());
        }
        4 => {
            // The same once more, there or elsewhere.
            let (start, end) = stretch(text, 60, choices);
            let copy = text[start..end].to_vec();
            let at = if choices.once_in(2) { end } else { place(text, choices) };
            insert(text, at, &copy);
        }
        5 => {
            let (start, end) = stretch(other, 60, choices);
            let at = place(text, choices);
            insert(text, at, &other[start..end]);
        }
        6 => lines(text, choices),
        7 | 8 => number(text, choices),
        9 => words(text, choices),
        10 if choices.once_in(8) => {
            let (at, byte) = (place(text, choices), choices.byte());
            let many = 1 << choices.below(17);
            insert(text, at, &vec![byte; many]);
        }
        10 if choices.once_in(8) => {
            let ((open, close), many) = (*choices.pick(&BRACKETS), 1 << choices.below(15));
            let at = place(text, choices);
            insert(text, at, format!("{}1{}", open.repeat(many), close.repeat(many)).as_bytes());
        }
        _ => {
            let end = place(text, choices);
            text.truncate(end.max(text.len() / 2));
        }
    }
}

/// Removes, repeats or exchanges lines.
fn lines(text: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (choices.below(lines.len()), choices.below(lines.len()));
    match choices.below(3) {
        0 => lines.swap(a, b),
        1 => lines.insert(b, lines[a].clone()),
        _ => drop(lines.remove(a)),
    }
    *text = lines.join(&b'\n');
}

/// Exchanges two words of a line, or puts one in place of another.
fn words(text: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut spans = Vec::new();
    let mut start = None;
    for at in 0..=text.len() {
        match (start, text.get(at).is_some_and(|&byte| is_word(byte))) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                spans.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    if spans.is_empty() {
        return;
    }
    let one = choices.below(spans.len());
    // Mostly one near by: the words of one move, not of two.
    let other = if choices.once_in(3) {
        choices.below(spans.len())
    } else {
        (one + 1 + choices.below(3)) % spans.len()
    };
    let ((low, low_end), (high, high_end)) = (spans[one.min(other)], spans[one.max(other)]);
    let (first, second) = (text[low..low_end].to_vec(), text[high..high_end].to_vec());
    let both = choices.once_in(2);
    text.splice(high..high_end, first);
    if both {
        text.splice(low..low_end, second);
    }
}

/// Puts another number in place of one.
fn number(text: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let starts: Vec<usize> = (0..text.len())
        .filter(|&at| text[at].is_ascii_digit() && (at == 0 || !text[at - 1].is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = *choices.pick(&starts);
    let end = start + text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let old: u128 =
        std::str::from_utf8(&text[start..end]).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let new = match choices.below(4) {
        0 => (old + 1).to_string(),
        1 => old.saturating_sub(1).to_string(),
        2 => choices.below(200).to_string(),
        _ => (*choices.pick(&TEXTS[9..30])).to_owned(),
    };
    text.splice(start..end, new.into_bytes());
}

/// Changes values of a document in a few places.
pub fn json(document: &mut Value, choices: &mut Choices<'_>) {
    for _ in 0..=choices.below(3) {
        let count = nodes(document);
        let copy = find(document, choices.below(count)).clone();
        let node = choices.below(count);
        change_value(find(document, node), copy, choices);
    }
}

/// The number of values in a document, itself included.
fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(nodes).sum(),
        Value::Object(fields) => fields.values().map(nodes).sum::<usize>(),
        _ => 0,
    }
}

/// The value of this number, counted from the document itself.
fn find(value: &mut Value, number: usize) -> &mut Value {
    if number == 0 {
        return value;
    }
    let mut left = number - 1;
    let inner: Vec<usize> = match &*value {
        Value::Array(list) => list.iter().map(nodes).collect(),
        Value::Object(fields) => fields.values().map(nodes).collect(),
        _ => Vec::new(),
    };
    let mut place = 0;
    while left >= inner[place] {
        left -= inner[place];
        place += 1;
    }
    let next = match value {
        Value::Array(list) => list.get_mut(place),
        Value::Object(fields) => fields.values_mut().nth(place),
        _ => None,
    };
    next.map_or_else(|| unreachable!("so many values were counted"), |next| find(next, left))
}

fn change_value(value: &mut Value, copy: Value, choices: &mut Choices<'_>) {
    match (choices.below(4), &mut *value) {
        (0, _) => *value = copy,
        (1, _) => *value = interesting(choices),
        (_, Value::Number(number)) => {
            let by = [1.0, -1.0, 0.5, 100.0][choices.below(4)];
            let old = number.as_f64().unwrap_or(0.0);
            *value = if number.is_f64() { json!(old + by) } else { json!((old + by) as i64) };
        }
        (_, Value::String(text)) => {
            let mut bytes = text.as_bytes().to_vec();
            change(&mut bytes, copy.to_string().as_bytes(), choices);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        (_, Value::Array(list)) => change_list(list, copy, choices),
        (_, Value::Object(fields)) => change_fields(fields, copy, choices),
        (_, Value::Bool(_) | Value::Null) => *value = copy,
    }
}

fn interesting(choices: &mut Choices<'_>) -> Value {
    match choices.below(10) {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!(choices.once_in(2)),
        4 => json!(u64::MAX),
        5 => json!(i64::MIN),
        6 => json!(1e300),
        7 => json!(choices.below(1000)),
        8 => json!(0.5),
        _ => json!(choices.pick(&TEXTS)),
    }
}

fn change_list(list: &mut Vec<Value>, copy: Value, choices: &mut Choices<'_>) {
    if list.is_empty() {
        return list.push(copy);
    }
    let (a, b) = (choices.below(list.len()), choices.below(list.len()));
    match choices.below(4) {
        0 => list.swap(a, b),
        1 => drop(list.remove(a)),
        2 => list.insert(b, list[a].clone()),
        _ => list.insert(b, copy),
    }
}

fn change_fields(fields: &mut Map<String, Value>, copy: Value, choices: &mut Choices<'_>) {
    let names: Vec<String> = fields.keys().cloned().collect();
    if names.is_empty() || choices.once_in(4) {
        fields.insert((*choices.pick(&TEXTS)).to_owned(), copy);
        return;
    }
    let (a, b) = (choices.pick(&names), choices.pick(&names));
    let Some(value) = fields.remove(a) else { return };
    if choices.once_in(2) {
        fields.insert(b.clone(), value);
    }
}

/// The text of a document that was changed, as data or as text.
pub fn document(seed: &Value, other: &str, choices: &mut Choices<'_>) -> String {
    let mut document = seed.clone();
    let as_data = choices.once_in(2);
    if as_data {
        json(&mut document, choices);
    }
    let written = document.to_string();
    if as_data && !choices.once_in(4) { written } else { utf8(&written, other, choices) }
}
