//! Tables as people read them in the terminal and in Markdown documents.

use comfy_table::presets;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table};
use std::borrow::Cow;
use std::path::Path;

/// Lines of cells as text, a column under a column: the first `left` to the left, the rest to the right.
#[must_use]
pub fn aligned(lines: &[Vec<String>], left: usize) -> String {
    let columns = 0..lines.iter().map(Vec::len).max().unwrap_or(0);
    let side = |i| if i < left { CellAlignment::Left } else { CellAlignment::Right };
    aligned_as(lines, &columns.map(side).collect::<Vec<_>>())
}

/// The same, each column to its side.
pub(crate) fn aligned_as(lines: &[Vec<String>], sides: &[CellAlignment]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_rows(lines);
    for (column, side) in table.column_iter_mut().zip(sides) {
        column.set_padding((0, 2));
        column.set_cell_alignment(*side);
    }
    let text = table.to_string();
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Two columns, the second in lines that end before `width`.
#[must_use]
pub fn wrapped(lines: &[Vec<String>], width: u16) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table.add_rows(lines);
    if let Some(names) = table.column_mut(0) {
        names.set_padding((0, 2)).set_constraint(ColumnConstraint::ContentWidth);
    }
    if let Some(texts) = table.column_mut(1) {
        texts.set_padding((0, 0));
    }
    table.to_string()
}

/// The same as a table in Markdown; the first line is the header. `left` tells which columns are aligned to the left.
#[must_use]
pub fn markdown(lines: &[Vec<String>], left: &[bool]) -> String {
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        let cells: Vec<String> = line.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text += &format!("| {} |\n", cells.join(" | "));
        if i == 0 {
            let rule: Vec<&str> = left.iter().map(|&left| if left { "---" } else { "--:" }).collect();
            text += &format!("|{}|\n", rule.join("|"));
        }
    }
    text
}

/// A file as a command line takes it: what begins with a dash would be an option. A dash alone is standard input.
#[must_use]
pub fn file_word(file: &Path) -> String {
    let name = file.display().to_string();
    if name.starts_with('-') && name != "-" { format!("./{name}") } else { name }
}

/// The word as a shell takes it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-=:.,/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Text that can be shown on a terminal wherever it comes from: what would move the cursor or change colours stands as
/// its code.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    visible_but(text, &[])
}

/// The same, except that these characters stay as they are.
pub(crate) fn visible_but<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    // Marks that reverse the direction of writing, or have no width, can make a text look like another. Those without width are also
    // the marks of the screen.
    let is_mark = |c: char| {
        matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let hidden = |c: char| ((c.is_control() && c != '\n') || is_mark(c)) && !kept.contains(&c);
    if !text.contains(hidden) {
        return text.into();
    }
    let show = |c: char| if hidden(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(show).collect::<String>().into()
}

/// A message of which no line is longer than a screen: errors repeat what stands in a file, whatever its size.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    const MOST: usize = 1000;
    if text.lines().all(|line| line.len() <= MOST) {
        return text.into();
    }
    let short = |line: &str| match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} more bytes)", &line[..end], line.len() - end),
        None => line.to_owned(),
    };
    text.lines().map(short).collect::<Vec<_>>().join("\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<Vec<String>> {
        [["agent", "wins"], ["a|b", "7 %"], ["c", "91 %"]]
            .map(|line| line.map(str::to_owned).to_vec())
            .to_vec()
    }

    /// Names begin on the left, numbers end on the right, and no line ends with a space.
    #[test]
    fn columns_stand_under_each_other() {
        assert_eq!(aligned(&lines(), 1), "agent  wins\na|b     7 %\nc      91 %\n");
    }

    /// A file must not be able to write over what stands on the screen.
    #[test]
    fn nothing_reaches_the_terminal_unseen() {
        assert_eq!(visible("a\nb é"), "a\nb é");
        assert_eq!(visible("\u{1b}[2Jx\r\t\u{9b}\u{202e}\u{feff}"), r"\u{1b}[2Jx\r\t\u{9b}\u{202e}\u{feff}");
        // Neither may it colour it with the screen's own marks, or hide a letter in a name.
        assert_eq!(visible("a\u{2062}b\u{2064}\u{200b}\u{61c}"), r"a\u{2062}b\u{2064}\u{200b}\u{61c}");
        assert_eq!(visible_but("a\u{2062}b\u{200b}", &['\u{2062}']), "a\u{2062}b\\u{200b}");
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(shortened("a\nb"), "a\nb");
        let text = shortened(&format!("a\n{}", "é".repeat(1500))).into_owned();
        assert!(text.starts_with("a\nééé") && text.ends_with("é… (1000 more bytes)"), "{text}");
    }

    #[test]
    fn a_bar_in_a_cell_is_escaped() {
        let text = markdown(&lines(), &[true, false]);
        assert!(text.starts_with("| agent | wins |\n|---|--:|\n"), "{text}");
        assert!(text.contains(r"| a\|b"), "{text}");
    }
}
