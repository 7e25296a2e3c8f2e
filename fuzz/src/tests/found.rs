//! What the targets have found in folders of results, by the smallest inputs. What they found elsewhere is tested where it was mended.

use crate::targets::folders::{page, replaced};
use std::panic::catch_unwind;

/// The places of requests among those that folders are made of.
const RUN: usize = 0;
const DOUBLES: usize = 1;
const COMPARE: usize = 2;
const SOLVE: usize = 3;
const BOUND: usize = 4;

/// Neither resumed nor merged, or both with the true result.
fn refused_or_true(request: usize, file: &str, from: &str, to: &str) {
    check(request, file, from, to, false);
}

fn check(request: usize, file: &str, from: &str, to: &str, seal: bool) {
    let results = replaced(request, file, from, to, seal);
    assert!(results.iter().all(|result| *result != Some(false)), "{file}: {from} → {to}: {results:?}");
}

/// Counts that contradict each other are refused before anything is worked out from them, even with a right checksum.
#[test]
fn impossible_counts_are_refused() {
    let cases = [
        // A value above its bound, and more wins than games.
        (SOLVE, "[[0,0],1]", "[[1,0],1]"),
        (COMPARE, "\"units\":3", "\"units\":4"),
        // Counts, and squares of scores, beyond 64 bits.
        (RUN, "\"scores\":[[-186,1]", "\"scores\":[[-186,18446744073709551615]"),
        (RUN, "\"shares\":[6,0,0,0", "\"shares\":[6,0,0,18446744073709551615"),
        (DOUBLES, "\"scores\":[[18,1]", "\"scores\":[[-9223372036854775808,1]"),
        // Lists that are too short.
        (BOUND, "\"products\":[\"0\",", "\"products\":["),
        (BOUND, "\"sums\":[\"0\",", "\"sums\":["),
    ];
    let fails = |&&(request, from, to): &&(usize, &str, &str)| {
        catch_unwind(|| check(request, "journal.json", from, to, true)).is_err()
    };
    let failing: Vec<_> = cases.iter().filter(fails).collect();
    assert!(failing.is_empty(), "{failing:?}");
}

/// A journal is believed only where it is what was written.
#[test]
fn a_changed_journal_is_refused() {
    refused_or_true(SOLVE, "journal.json", "[[0,0],1]", "[[0,1],1]");
    refused_or_true(RUN, "journal.json", "\"moves\":54", "\"moves\":55");
}

/// Rows of games and deals are believed only where they are what was written.
#[test]
fn changed_rows_are_refused() {
    refused_or_true(RUN, "games.csv", "0,random,", "0,rondom,");
    refused_or_true(SOLVE, "solutions.csv", "solved,0", "solved,9");
}

/// A table that lacks the columns of its form is shown as any other, or refused.
#[test]
fn a_table_without_its_columns_makes_no_page_fail() {
    page(SOLVE, "values.csv", "objective", "subject");
    page(SOLVE, "values.csv", "verdict", "judgement");
    page(SOLVE, "values.csv", "deals", "deal");
}
