//! `journal.json`: the exact counts of a folder, from which a run can go on and shards can be joined.
//!
//! While a run goes on the journal is written anew every second, whole: to a file beside it that then takes its
//! name, so that there is a whole one whenever the run is killed. The rows that belong to it are on the disk
//! before; what stands behind them in their files is cut off when the run goes on.
//!
//! What is gone on with must be what was written: the journal ends with a checksum of its own bytes, and it has those of
//! the plan and of the parts of other files that belong to it.

use super::read::plain_file;
use super::replace::replace_as;
use super::{FolderError, JOURNAL, PlanRecord};
use crate::exec::{Job, Ranges};
use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::hash::Hasher as _;
use std::io::{self, Read};
use std::path::Path;

/// The exact state of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    /// The checksum of the plan.
    pub plan: Sum,
    /// The indices that have been counted.
    pub ranges: Ranges,
    /// What belongs to them of the tables with rows for each index, table by table; a single one stands there as it is.
    #[serde(with = "rows")]
    pub rows: Vec<Prefix>,
    /// What belongs to them of the transcripts.
    pub transcripts: Prefix,
    /// The counts.
    pub totals: Value,
}

/// The first bytes of a file.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    /// How many there are.
    pub bytes: u64,
    /// Their checksum.
    pub sum: Sum,
}

/// A checksum: FNV-1a with 64 bits (Fowler, Noll, Vo). No change of a single byte leaves it as it is; it is no protection against
/// somebody who means to deceive.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Sum(u64);

/// What stands between the journal and its checksum, and after that.
const SUM: (&[u8], &[u8]) = (b",\"sum\":\"", b"\"}\n");

/// The digits of a checksum.
const DIGITS: usize = 16;

impl Journal {
    /// Reads the journal of a folder.
    ///
    /// # Errors
    /// When there is none that can be read, or it is not what was written.
    pub fn read(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(JOURNAL);
        let failed = FolderError::io("read", &path);
        plain_file(&path)
            .and_then(|mut file| {
                let mut text = Vec::new();
                file.read_to_end(&mut text)?;
                Self::parse(text)
            })
            .map_err(failed)
    }

    /// What belongs to the indices of the table at this place among those with rows for each.
    pub fn rows_of(&self, place: usize) -> Prefix {
        self.rows.get(place).copied().unwrap_or_default()
    }

    /// The counts of this job, which are those of the indices.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn restore<T: Send>(&self, job: &dyn Job<Totals = T>) -> Result<T, String> {
        let totals = job.restore(self.totals.clone())?;
        if job.counted(&totals) == self.ranges.len() {
            Ok(totals)
        } else {
            Err("it counts other games than it lists".to_owned())
        }
    }

    fn parse(mut text: Vec<u8>) -> io::Result<Self> {
        let changed = || io::Error::other("it is not as sim wrote it: its checksum is wrong");
        let end = text.len().checked_sub(SUM.0.len() + DIGITS + SUM.1.len()).ok_or_else(changed)?;
        if text[end..] != Self::ending(Sum::of(&text[..end])) {
            return Err(changed());
        }
        text.truncate(end);
        text.push(b'}');
        serde_json::from_slice(&text).map_err(io::Error::other)
    }

    /// Writes the journal in place of the one that is there.
    pub(super) fn write(&self, folder: &Path, durable: bool) -> io::Result<()> {
        replace_as(&folder.join(JOURNAL), &self.text()?, durable)
    }

    fn text(&self) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec(self)?;
        text.pop();
        let ending = Self::ending(Sum::of(&text));
        text.extend(ending);
        Ok(text)
    }

    fn ending(sum: Sum) -> Vec<u8> {
        [SUM.0, sum.to_string().as_bytes(), SUM.1].concat()
    }

    /// Whether a folder without a manifest has a journal that a kill in the first moment of a run has left: one of sim, without
    /// counts.
    pub(super) fn is_blank(folder: &Path) -> bool {
        Self::read(folder).is_ok_and(|journal| journal.ranges.is_empty() && journal.totals.is_null())
    }
}

impl Prefix {
    /// Counts more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.sum.add(bytes);
    }

    /// Whether a file has these bytes and no more.
    pub(crate) fn is_all_of(self, path: &Path) -> bool {
        path.metadata().is_ok_and(|file| file.len() == self.bytes) && self.check(path).is_ok()
    }

    /// Whether a file begins with these bytes.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn check(self, path: &Path) -> Result<(), String> {
        let read = || -> io::Result<Self> {
            let mut found = Self::default();
            let mut file = plain_file(path)?.take(self.bytes);
            let mut block = vec![0; 1 << 16];
            loop {
                match file.read(&mut block)? {
                    0 => return Ok(found),
                    read => found.add(&block[..read]),
                }
            }
        };
        let wrong = |why: &str| Err(format!("{} {why}", path.display()));
        match read() {
            Ok(found) if found == self => Ok(()),
            Ok(found) if found.bytes < self.bytes => wrong("has fewer bytes than the journal counts"),
            Ok(_) => wrong("is not as sim wrote it: its checksum is wrong"),
            Err(error) => wrong(&format!("cannot be read: {error}")),
        }
    }
}

impl Sum {
    /// The checksum of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut sum = Self::default();
        sum.add(bytes);
        sum
    }

    /// The checksum of a plan, the same for equal ones.
    pub fn of_plan(plan: &PlanRecord) -> Self {
        Self::of(&serde_json::to_vec(&plan.without_paths()).unwrap_or_default())
    }

    /// Goes on with more bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let mut hasher = FnvHasher::with_key(self.0);
        hasher.write(bytes);
        self.0 = hasher.finish();
    }
}

impl Default for Sum {
    fn default() -> Self {
        Self(FnvHasher::default().finish())
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Sum> for String {
    fn from(sum: Sum) -> Self {
        sum.to_string()
    }
}

impl TryFrom<String> for Sum {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let sum = u64::from_str_radix(&text, 16).map(Self).ok().filter(|sum| sum.to_string() == text);
        sum.ok_or_else(|| format!("'{text}' is no checksum of {DIGITS} digits"))
    }
}

/// Prefixes as they stand in a journal: one table is written as its prefix alone, several as a list, none as the empty prefix.
mod rows {
    use super::Prefix;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Rows {
        One(Prefix),
        Many(Vec<Prefix>),
    }

    pub fn serialize<S: Serializer>(rows: &[Prefix], serializer: S) -> Result<S::Ok, S::Error> {
        let rows = match rows {
            [] => Rows::One(Prefix::default()),
            [one] => Rows::One(*one),
            many => Rows::Many(many.to_vec()),
        };
        rows.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Prefix>, D::Error> {
        Ok(match Rows::deserialize(deserializer)? {
            Rows::One(one) if one == Prefix::default() => Vec::new(),
            Rows::One(one) => vec![one],
            Rows::Many(many) => many,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal() -> Journal {
        let ranges = Ranges::from(0..7);
        let mut rows = Prefix::default();
        rows.add(b"index\n");
        Journal { ranges, rows: vec![rows], totals: serde_json::json!({ "games": 7 }), ..Journal::default() }
    }

    /// A journal that was changed in any bit, cut short or lengthened is no journal.
    #[test]
    fn no_change_goes_unnoticed() {
        let text = journal().text().unwrap();
        assert_eq!(Journal::parse(text.clone()).unwrap(), journal());
        for bit in 0..8 * text.len() {
            let mut changed = text.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(Journal::parse(changed).is_err(), "bit {bit}");
        }
        for end in 0..text.len() {
            assert!(Journal::parse(text[..end].to_vec()).is_err(), "cut after {end}");
        }
        assert!(Journal::parse([&text[..], b"\n"].concat()).is_err());
    }

    /// Of a file the bytes that belong to a journal must be there and be the same; what follows them is of no interest.
    #[test]
    fn a_prefix_knows_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let rows = journal().rows_of(0);
        for (text, right) in [("index\n", true), ("index\n7", true), ("index", false), ("indeX\n", false)] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(rows.check(&path).is_ok(), right, "{text}");
        }
        assert!(rows.check(folder.path()).is_err());
    }

    /// Sums of FNV-1a from its authors' test vectors.
    #[test]
    fn sums_are_fnv_1a() {
        assert_eq!(Sum::of(b"").to_string(), "cbf29ce484222325");
        assert_eq!(Sum::of(b"a").to_string(), "af63dc4c8601ec8c");
        assert_eq!(Sum::of(b"foobar").to_string(), "85944171f73967e8");
    }
}
