//! The counts of tallies, one after another.
//!
//! There may be a hundred thousand of them, whatever is played. So their loops are compiled here, with the games: a build for tests
//! does not optimise what uses them.

/// Adds counts to others.
#[inline(never)]
pub fn add(counts: &mut [u64], more: &[u64]) {
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += *more);
}

/// Appends counts to a record, in which a negative number stands for that many zeros.
#[inline(never)]
pub fn pack(counts: &[u64], record: &mut Vec<i64>) {
    for &count in counts {
        match (count, record.last_mut()) {
            (0, Some(zeros @ ..0)) => *zeros -= 1,
            (0, _) => record.push(-1),
            _ => record.push(i64::try_from(count).unwrap_or(i64::MAX)),
        }
    }
}

/// Fills counts from a record that [`pack`] made.
///
/// # Errors
/// When it has fewer or more of them.
#[inline(never)]
pub fn unpack(record: &[i64], counts: &mut [&mut [u64]]) -> Result<(), &'static str> {
    let mut packed = record.iter().flat_map(|&count| {
        let zeros = if count < 0 { count.unsigned_abs() } else { 1 };
        std::iter::repeat_n(count.max(0) as u64, usize::try_from(zeros).unwrap_or(usize::MAX))
    });
    for count in counts.iter_mut().flat_map(|counts| counts.iter_mut()) {
        *count = packed.next().ok_or("the tally is too short")?;
    }
    if packed.next().is_some() { Err("the tally is too long") } else { Ok(()) }
}
