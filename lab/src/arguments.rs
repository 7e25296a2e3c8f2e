//! The arguments of the programs, which are told apart by their place.

/// The arguments on the command line, as far as they are given. The names are those of the program's description.
///
/// # Panics
/// When there are more of them.
#[must_use]
pub fn texts<const N: usize>(names: [&str; N]) -> [Option<String>; N] {
    place(names, std::env::args().skip(1)).unwrap_or_else(|error| panic!("{error}"))
}

/// The same, as numbers.
///
/// # Panics
/// When there are more of them, or one is no number.
#[must_use]
pub fn numbers<const N: usize>(names: [&str; N]) -> [Option<u64>; N] {
    texts(names).map(|text| text.map(|text| text.parse().expect("a number")))
}

fn place<const N: usize>(
    names: [&str; N],
    mut given: impl Iterator<Item = String>,
) -> Result<[Option<String>; N], String> {
    let texts = [(); N].map(|()| given.next());
    match given.next() {
        Some(surplus) => Err(format!("unexpected argument {surplus}; the arguments are {}", names.join(" "))),
        None => Ok(texts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt command must not run for hours with other numbers than were meant, so no argument is ignored.
    #[test]
    fn surplus_arguments_are_refused() {
        let placed = |given: &str| place(["GAMES", "SEED"], given.split_whitespace().map(str::to_owned));
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(placed(""), Ok([None, None]));
        assert_eq!(placed("10"), Ok([text("10"), None]));
        assert_eq!(placed("10 2"), Ok([text("10"), text("2")]));
        assert_eq!(placed("10 2 3 4"), Err("unexpected argument 3; the arguments are GAMES SEED".to_owned()));
    }
}
