//! Tables as people read them in the terminal and in Markdown documents.

use comfy_table::presets;
use comfy_table::{CellAlignment, Table};

/// Lines of cells as text, a column under a column: the first `left` to the left, the rest to the right.
#[must_use]
pub fn aligned(lines: &[Vec<String>], left: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_rows(lines);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if i < left { CellAlignment::Left } else { CellAlignment::Right });
    }
    let text = table.to_string();
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The same as a table in Markdown, numbers aligned to the right; the first line is the header.
#[must_use]
pub fn markdown(lines: &[Vec<String>], left: usize) -> String {
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        let cells: Vec<String> = line.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text += &format!("| {} |\n", cells.join(" | "));
        if i == 0 {
            let rule: Vec<&str> =
                (0..line.len()).map(|column| if column < left { "---" } else { "--:" }).collect();
            text += &format!("|{}|\n", rule.join("|"));
        }
    }
    text
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

    #[test]
    fn a_bar_in_a_cell_is_escaped() {
        let text = markdown(&lines(), 1);
        assert!(text.starts_with("| agent | wins |\n|---|--:|\n"), "{text}");
        assert!(text.contains(r"| a\|b"), "{text}");
    }
}
