//! Screens: tables that fit their width, lines that do too, and the characters and colours that they can show.
//!
//! A summary marks its words with characters that take no room. The command turns the marks into colours on a terminal;
//! everywhere else they are left out. Text from elsewhere that stands in a summary is made visible first, so that it brings no
//! marks of its own.

use crate::numbers::{INTERVAL, NONE};
use crate::text::{aligned_as, visible_but};
use comfy_table::CellAlignment;
use console::{Style, Term, measure_text_width};
use std::borrow::Cow;
use std::ops::Range;

/// The width of a screen that is no terminal.
pub const WIDTH: usize = 80;

/// The narrowest screen that tables are made for.
const LEAST: usize = 40;

const STRONG: char = '\u{2062}';
const WARNING: char = '\u{2063}';
const END: char = '\u{2064}';
const MARKS: [char; 3] = [STRONG, WARNING, END];

/// Words that matter most: a headline rate, a difference that is clear of zero.
#[must_use]
pub fn strong(text: &str) -> String {
    format!("{STRONG}{text}{END}")
}

/// Words that warn.
#[must_use]
pub fn warning(text: &str) -> String {
    format!("{WARNING}{text}{END}")
}

/// A text without marks.
#[must_use]
pub fn unmarked(text: &str) -> String {
    text.replace(MARKS, "")
}

/// Whether a locale has more than ASCII, as the environment of this process tells.
#[must_use]
pub fn has_unicode() -> bool {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    locale.to_uppercase().replace('-', "").contains("UTF8")
}

/// The screen that a text is for.
#[derive(Copy, Clone, Debug)]
pub struct Screen {
    /// The characters in a line.
    pub width: usize,
    /// Whether it shows colours.
    pub colours: bool,
    /// Whether it shows more than ASCII.
    pub unicode: bool,
}

impl Screen {
    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        Self::of(&Term::stdout(), console::colors_enabled())
    }

    /// Standard error.
    #[must_use]
    pub fn stderr() -> Self {
        Self::of(&Term::stderr(), console::colors_enabled_stderr())
    }

    fn of(term: &Term, colours: bool) -> Self {
        let width = term.size_checked().map_or(WIDTH, |(_, columns)| usize::from(columns).max(LEAST));
        Self { width, colours, unicode: has_unicode() }
    }

    /// A text with marks as this screen shows it: what would move the cursor stands as its code, and long lines are broken at blanks.
    #[must_use]
    pub fn show(self, text: &str) -> String {
        let text = visible_but(text, &MARKS);
        let text: String = text.split_inclusive('\n').map(|line| broken(line, self.width)).collect();
        self.painted(&text)
    }

    /// A text in the colours of this screen, its lines as they are.
    #[must_use]
    pub fn painted(self, text: &str) -> String {
        if self.colours { text.split_inclusive('\n').map(coloured).collect() } else { unmarked(text) }
    }

    /// Knave's own words in the characters of this screen. They have to fit into their lines afterwards, and no names may be among them:
    /// those stay as they are.
    #[must_use]
    pub fn own(self, text: &str) -> Cow<'_, str> {
        if self.unicode { text.into() } else { ascii(text).into() }
    }

    /// A message, which has names in it, in the characters of this screen: the two of Knave's own that messages have.
    #[must_use]
    pub fn message(self, text: &str) -> Cow<'_, str> {
        if self.unicode { text.into() } else { text.replace('…', "...").replace('±', "+-").into() }
    }
}

/// A line with colours in the place of marks; none goes on after its end.
fn coloured(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(begin) = rest.find([STRONG, WARNING]) {
        let style =
            if rest[begin..].starts_with(STRONG) { Style::new().bold() } else { Style::new().yellow() };
        let body = &rest[begin + STRONG.len_utf8()..];
        let length = body.find([END, '\n']).unwrap_or(body.len());
        text += &unmarked(&rest[..begin]);
        text += &style.force_styling(true).apply_to(unmarked(&body[..length])).to_string();
        rest = &body[length..];
    }
    text + &unmarked(rest)
}

/// A text in ASCII as far as Knave's own characters go.
fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '─' | '–' | '—' | '−' => plain.push('-'),
            '█' => plain.push('#'),
            '…' => plain.push_str("..."),
            'λ' => plain.push_str("lambda"),
            '×' => plain.push('x'),
            '±' => plain.push_str("+-"),
            '→' => plain.push_str("->"),
            '≤' => plain.push_str("<="),
            '≥' => plain.push_str(">="),
            '“' | '”' => plain.push('"'),
            '‘' | '’' => plain.push('\''),
            '♣' => plain.push('C'),
            '♦' => plain.push('D'),
            '♥' => plain.push('H'),
            '♠' => plain.push('S'),
            c => plain.push(c),
        }
    }
    plain
}

/// The room that a text takes in a line.
#[must_use]
pub fn width(text: &str) -> usize {
    text.lines().map(|line| measure_text_width(&unmarked(line))).max().unwrap_or(0)
}

/// A line, broken at blanks where it is too long. What follows stands two characters further in; words stay whole, and so do commands,
/// which nobody could copy otherwise.
fn broken(line: &str, most: usize) -> String {
    let body = line.trim_start_matches(' ');
    if width(line) <= most || body.starts_with("sim ") {
        return line.to_owned();
    }
    let indent = " ".repeat((line.len() - body.len()).min(most / 2));
    let mut text = indent.clone();
    let mut begins = true;
    for word in body.trim_end_matches('\n').split(' ') {
        let last = text.rsplit('\n').next().unwrap_or_default();
        if !begins && width(last) + 1 + width(word) > most {
            text = text.trim_end().to_owned() + "\n" + &indent + "  ";
        } else if !begins {
            text.push(' ');
        }
        text += word;
        begins = false;
    }
    if line.ends_with('\n') { text + "\n" } else { text }
}

/// A text in lines of at most `most` characters, broken after blanks and commas, or anywhere if there are none.
fn folded(text: &str, most: usize) -> String {
    if width(text) <= most || most < 4 {
        return text.to_owned();
    }
    // A mark ends with its line.
    if let Some(mark) = text.chars().next().filter(|first| MARKS.contains(first)) {
        let text = folded(&unmarked(text), most);
        return text.lines().map(|line| format!("{mark}{line}{END}")).collect::<Vec<_>>().join("\n");
    }
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_inclusive([' ', ',', ';']) {
        let last = lines.last_mut().expect("there is a line");
        if width(last) + width(word.trim_end()) <= most {
            *last += word;
            continue;
        }
        let mut rest = word;
        // Everything but the first line stands one character further in.
        while width(rest) >= most {
            let (part, more) = rest.split_at(beginning(rest, most - 1));
            lines.push(format!(" {part}"));
            rest = more;
        }
        lines.push(format!(" {rest}"));
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect();
    lines.join("\n").trim_start().to_owned()
}

/// Where the longest beginning of a text ends that takes no more room than this; it has one character at least.
fn beginning(text: &str, most: usize) -> usize {
    let ends = text.char_indices().map(|(place, c)| place + c.len_utf8());
    let fits = |end: &usize| measure_text_width(&text[..*end]) <= most;
    let first = text.chars().next().map_or(0, char::len_utf8);
    ends.take_while(fits).last().unwrap_or(first)
}

/// The room between columns.
const GAP: usize = 2;

/// Whether a table fits this width as it is.
#[must_use]
pub fn fits(lines: &[Vec<String>], most: usize) -> bool {
    room(&widths(lines)) <= most
}

/// The room that each column takes.
fn widths(lines: &[Vec<String>]) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len);
    (0..columns).map(|i| lines.iter().map(|line| width(&line[i])).max().unwrap_or(0)).collect()
}

/// The room that columns side by side take.
fn room(widths: &[usize]) -> usize {
    widths.iter().map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
}

/// The room that a column of texts gets at least, if it takes so much.
const LEAST_TEXT: usize = 10;

/// A table that is no wider than `most`: the first line is the header, and the first `keys` columns tell the rows apart. Where the others do
/// not fit beside them, they follow in further tables with the same keys; where none fits, each row is a block of lines. An
/// interval stays beside its value. Numbers end on the right, texts begin on the left.
#[must_use]
pub fn table(lines: &[Vec<String>], keys: usize, most: usize) -> String {
    let wide = widths(lines);
    if room(&wide) <= most {
        return side_by_side(lines, 0..wide.len());
    }
    let keys = keys.min(wide.len());
    let values = values(&lines[0], keys);
    // Keys get half of the width, less where a value needs more, or as much as their texts need; the widest of them gives way.
    let least = least(lines, &wide);
    let needed = values.iter().map(|value| room(&least[value.clone()])).max().unwrap_or(0);
    let mut limits = wide;
    let beside = |limits: &[usize]| limits[..keys].iter().map(|width| width + GAP).sum::<usize>();
    while room(&limits[..keys]) > most / 2 || beside(&limits) + needed > most {
        let gives_way = |&i: &usize| limits[i] > least[i];
        let Some(widest) = (0..keys).filter(gives_way).max_by_key(|&i| limits[i]) else { break };
        limits[widest] -= 1;
    }
    if keys > 0 && beside(&limits) + needed > most {
        return blocks(lines, keys, most);
    }
    let rest = most.saturating_sub(beside(&limits)).max(LEAST_TEXT);
    limits[keys..].iter_mut().for_each(|limit| *limit = rest.min(*limit));
    let fold = |line: &Vec<String>| {
        line.iter().zip(&limits).map(|(cell, &limit)| folded(cell, limit)).collect::<Vec<_>>()
    };
    let lines: Vec<Vec<String>> = lines.iter().map(fold).collect();
    let wide = widths(&lines);
    let parts = shared_out(&values, &wide, (most + GAP).saturating_sub(beside(&wide)));
    let parts = parts.into_iter().map(|part| side_by_side(&lines, (0..keys).chain(part)));
    parts.collect::<Vec<_>>().join("\n")
}

/// These columns beside each other.
fn side_by_side(lines: &[Vec<String>], columns: impl IntoIterator<Item = usize>) -> String {
    let columns: Vec<usize> = columns.into_iter().collect();
    let pick = |line: &Vec<String>| columns.iter().map(|&i| line[i].clone()).collect();
    let picked: Vec<Vec<String>> = lines.iter().map(pick).collect();
    let side = |&i: &usize| if is_of_numbers(lines, i) { CellAlignment::Right } else { CellAlignment::Left };
    aligned_as(&picked, &columns.iter().map(side).collect::<Vec<_>>())
}

/// The columns beside the keys: each value with its interval.
fn values(header: &[String], keys: usize) -> Vec<Range<usize>> {
    let begins = |i: &usize| *i == keys || header[*i] != INTERVAL;
    // Where there is none, the keys stand alone.
    let begins: Vec<usize> = (keys..header.len().max(keys + 1)).filter(begins).collect();
    let ends = begins.iter().skip(1).copied().chain([header.len()]);
    begins.iter().copied().zip(ends).map(|(begin, end)| begin..end).collect()
}

/// The room that each column needs: numbers all of it, and texts so much that they can be read.
fn least(lines: &[Vec<String>], wide: &[usize]) -> Vec<usize> {
    let least = |(i, &width): (usize, &usize)| {
        if is_of_numbers(lines, i) { width } else { width.min(LEAST_TEXT) }
    };
    wide.iter().enumerate().map(least).collect()
}

/// The values in as few tables as they fit into, and evenly: the narrowest tables that are as few.
fn shared_out(values: &[Range<usize>], wide: &[usize], room: usize) -> Vec<Range<usize>> {
    let within = |room: usize| {
        let (mut parts, mut used): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
        for value in values {
            let more: usize = wide[value.clone()].iter().map(|width| width + GAP).sum();
            match parts.last_mut().filter(|_| used + more <= room) {
                Some(part) => part.end = value.end,
                None => {
                    parts.push(value.clone());
                    used = 0;
                }
            }
            used += more;
        }
        parts
    };
    let fewest = within(room);
    (GAP..room).map(within).find(|parts| parts.len() == fewest.len()).unwrap_or(fewest)
}

/// A block of lines for each row, a line for each cell that has something in it: the keys, and indented what they are about.
fn blocks(lines: &[Vec<String>], keys: usize, most: usize) -> String {
    let Some((header, rows)) = lines.split_first() else { return String::new() };
    let indent = |i: usize| if i < keys { "" } else { "  " };
    let name = |(i, name): (usize, &String)| format!("{}{}", indent(i), folded(name, most / 2));
    let names: Vec<String> = header.iter().enumerate().map(name).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let block = |row: &Vec<String>| {
        let told = names.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        let line = |(name, cell): (&String, &String)| {
            vec![name.clone(), folded(cell, most.saturating_sub(widest + GAP))]
        };
        aligned_as(&told.map(line).collect::<Vec<_>>(), &[CellAlignment::Left; 2])
    };
    rows.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// Whether a column holds numbers alone.
fn is_of_numbers(lines: &[Vec<String>], column: usize) -> bool {
    lines.iter().skip(1).all(|line| is_number(&line[column]))
}

/// Whether a cell holds numbers alone: `1,234`, `7 %`, `1.2x`, `6 to 8`, or none.
fn is_number(cell: &str) -> bool {
    unmarked(cell).split_whitespace().all(|word| {
        let digits = word.trim_start_matches('<').trim_end_matches(['x', '%']).replace(',', "");
        matches!(word, "to" | "%" | NONE) || digits.parse::<f64>().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()).collect()
    }

    /// A table that fits is one; a wider one is cut between values, never between a value and its interval, and every part
    /// names its rows.
    #[test]
    fn wide_tables_are_split() {
        let lines = lines(&[
            &["seat", "agent", "wins", INTERVAL, "score", INTERVAL],
            &["0", "rule", "7 %", "6 to 8", "-3", "-4 to -2"],
        ]);
        let whole = table(&lines, 2, 80);
        assert_eq!(whole.lines().count(), 2, "{whole}");
        assert_eq!(whole.lines().nth(1), Some("   0  rule    7 %         6 to 8     -3       -4 to -2"));
        let split = table(&lines, 2, 40);
        assert!(split.lines().all(|line| width(line) <= 40), "{split}");
        let heads: Vec<Vec<&str>> = split
            .lines()
            .filter(|line| line.contains("seat"))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(heads.len(), 2, "{split}");
        assert!(heads[0].contains(&"wins") && heads[1].contains(&"score"), "{split}");
        assert!(heads.iter().all(|head| head.ends_with(&["95", "%", "interval"])), "{split}");
    }

    /// Nothing is cut off: names and texts too long for a line go on in the next.
    #[test]
    fn long_cells_are_folded() {
        let label = "mcts:iterations=2000,rollout=none,leaf=net,prior_visits=20";
        let view = "x".repeat(150);
        let lines = lines(&[&["agent", "wins", "view"], &[label, "7", &view]]);
        for most in [40, 80, 100] {
            let text = table(&lines, 1, most);
            assert!(text.lines().all(|line| width(line) <= most), "{most}\n{text}");
            assert_eq!(text.matches('x').count(), 150);
        }
        assert!(table(&lines, 1, 40).contains("leaf=net,"));
    }

    /// Marks take no room, become colours on a terminal that shows them, and are gone everywhere else. A text from
    /// elsewhere can bring no colours of its own, and none lasts beyond its line.
    #[test]
    fn marks_become_colours() {
        let marked = table(&[vec!["wins".to_owned()], vec![strong("9 %")]], 0, 80);
        assert_eq!(unmarked(&marked), "wins\n 9 %\n");
        let screen = Screen { width: 80, colours: false, unicode: true };
        assert_eq!(screen.show(&marked), "wins\n 9 %\n");
        let colours = Screen { colours: true, ..screen };
        assert_eq!(colours.show(&marked), "wins\n \u{1b}[1m9 %\u{1b}[0m\n");
        assert_eq!(colours.show("\u{1b}[1mx"), "\\u{1b}[1mx");
        assert_eq!(colours.show(&format!("{WARNING}a\nb")), "\u{1b}[33ma\u{1b}[0m\nb");
        assert_eq!(folded(&strong("one two"), 4), format!("{}\n{}", strong("one"), strong(" two")));
    }

    /// Where keys and a value do not fit beside each other, no row loses a key: each becomes a block of lines.
    #[test]
    fn rows_keep_their_keys() {
        let (a, b) = ("rule:solver_nodes=0", "mcts:iterations=20");
        let lines = lines(&[
            &["a", "b", "", "a - b", INTERVAL, "p"],
            &[a, b, "wins", "10.9 %", "8.0 to 13.9", "-"],
            &[a, b, "score", "1.0", "0.5 to 1.5", ""],
        ]);
        for most in 40..90 {
            let text = table(&lines, 3, most);
            assert!(text.lines().all(|line| width(line) <= most), "{most}\n{text}");
            // A value is never told without its measure and both names.
            let parts = text.matches("wins").count();
            assert_eq!(parts, text.matches("score").count(), "{most}\n{text}");
            let pressed: String = text.split_whitespace().collect();
            for name in ["8.0to13.9", "0.5to1.5"] {
                assert_eq!(pressed.matches(name).count(), 1, "{most}\n{text}");
            }
            assert!(text.matches("rule").count() == 2 * parts, "{most}\n{text}");
        }
        assert_eq!(
            table(&lines, 3, 40),
            format!(
                "a                {a}\nb                {b}\n                 wins\n  a - b          10.9 %\n\
                 \x20 {INTERVAL}  8.0 to 13.9\n  p              -\n\n\
                 a                {a}\nb                {b}\n                 score\n  a - b          1.0\n\
                 \x20 {INTERVAL}  0.5 to 1.5\n"
            )
        );
        // Texts get as much room as they need to be read, where others can do with less.
        let text = table(&lines, 3, 54);
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("rule:solv  ")), "{text}");
    }

    /// Wide letters take the room of two.
    #[test]
    fn wide_letters_fit_too() {
        let name = "棋".repeat(45);
        let lines = lines(&[&["agent", "wins", INTERVAL], &[&name, "7 %", "6 to 8"]]);
        for most in [40, 80] {
            let text = table(&lines, 1, most);
            assert!(text.lines().all(|line| width(line) <= most), "{most}\n{text}");
            assert_eq!(text.matches('棋').count(), 45, "{most}\n{text}");
        }
    }

    /// A screen without Unicode gets Knave's own words in ASCII, before they are broken into lines; names stay as they are.
    #[test]
    fn names_stay_as_they_are() {
        let screen = Screen { width: 20, colours: false, unicode: false };
        assert_eq!(screen.own("λ ≤ 3, …"), "lambda <= 3, ...");
        assert_eq!(screen.show("Written to r/a–b×\n"), "Written to r/a–b×\n");
        assert_eq!(screen.message("expected r/a–b×,…"), "expected r/a–b×,...");
        let text = screen.show(&screen.own("from 1 to λ … λ … λ\n"));
        assert!(text.lines().all(|line| width(line) <= 20), "{text}");
    }

    /// No line of words is wider than the screen, and words stay whole.
    #[test]
    fn long_lines_are_broken() {
        let screen = Screen { width: 20, colours: false, unicode: false };
        assert_eq!(
            screen.show("  one two three four five six\nshort\n"),
            "  one two three four\n    five six\nshort\n"
        );
        let path = format!("Written to {}\n", "a/".repeat(20));
        assert_eq!(screen.show(&path), format!("Written to\n  {}\n", "a/".repeat(20)));
    }
}
