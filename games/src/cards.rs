//! Playing cards: a card, a set of cards, their notation.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::hint::select_unpredictable;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};
use std::str::FromStr;

/// A suit, in the order of the notation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Suit {
    /// Clubs.
    #[serde(rename = "C")]
    Clubs,
    /// Diamonds.
    #[serde(rename = "D")]
    Diamonds,
    /// Hearts.
    #[serde(rename = "H")]
    Hearts,
    /// Spades.
    #[serde(rename = "S")]
    Spades,
}

impl Suit {
    /// The four suits in order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
}

/// Its letter in the notation.
impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        char::from(SUITS[*self as usize]).fmt(f)
    }
}

/// A card of the 52, two characters in the notation: rank, then suit (`TD`, `AS`).
///
/// Stored as `suit * 16 + rank` with ranks 2 to 14 (ace high), so that a suit is a 16-bit lane of a
/// [`CardSet`]. Cards compare by suit, then by rank.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"CDHS";

/// The texts of the cards, by [`Card::id`]: written by the million, so they are not put together each time.
const TEXTS: [&str; 64] = {
    const BYTES: [[u8; 2]; 64] = {
        let (mut bytes, mut id) = ([*b"??"; 64], 0);
        while id < 64 {
            if id & 15 >= 2 && id & 15 <= 14 {
                bytes[id] = [RANKS[(id & 15) - 2], SUITS[id >> 4]];
            }
            id += 1;
        }
        bytes
    };
    let (mut texts, mut id) = ([""; 64], 0);
    while id < 64 {
        texts[id] = match std::str::from_utf8(&BYTES[id]) {
            Ok(text) => text,
            Err(_) => panic!("ranks and suits are letters"),
        };
        id += 1;
    }
    texts
};

impl Card {
    /// The card of this suit and rank (2 to 14, ace high).
    ///
    /// # Panics
    /// If the rank is not from 2 to 14.
    #[must_use]
    pub const fn new(suit: Suit, rank: u8) -> Self {
        assert!(rank >= 2 && rank <= 14, "a rank is from 2 to 14");
        Self((suit as u8) << 4 | rank)
    }

    /// The card with this [`Card::id`]. Trusted: another number gives a nonsensical card, and panics in
    /// builds with debug assertions.
    #[must_use]
    #[inline]
    pub const fn from_id(id: u8) -> Self {
        debug_assert!(id < 64 && id & 15 >= 2 && id & 15 <= 14, "no card has this number");
        Self(id)
    }

    /// `suit * 16 + rank`, from 2 to 62: the card's bit in a [`CardSet`].
    #[must_use]
    #[inline]
    pub const fn id(self) -> u8 {
        self.0
    }

    /// The suit.
    #[must_use]
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 >> 4) as usize & 3]
    }

    /// The rank, 2 to 14, ace high.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 & 15
    }

    /// The number of cards before it in order, 0 to 51: its place in an array of all cards.
    #[inline]
    pub(crate) const fn place(self) -> usize {
        // Of every sixteen numbers of a suit three are of no card, two of them before its first.
        (self.0 - 3 * (self.0 >> 4) - 2) as usize
    }

    /// The two characters of the notation.
    const fn text(self) -> &'static str {
        TEXTS[self.0 as usize]
    }

    /// The 52 cards in order.
    pub fn all() -> impl Iterator<Item = Card> {
        Suit::ALL.into_iter().flat_map(|suit| (2..=14).map(move |rank| Card::new(suit, rank)))
    }
}

/// The letter of a rank in the notation.
///
/// # Panics
/// If the rank is not from 2 to 14.
#[must_use]
pub const fn rank_letter(rank: u8) -> char {
    RANKS[rank as usize - 2] as char
}

/// The rank of a letter, as in the notation of cards.
#[must_use]
pub fn rank_of(letter: char) -> Option<u8> {
    RANKS.iter().position(|&rank| char::from(rank) == letter).map(|place| place as u8 + 2)
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no card: expected a rank of A23456789TJQK and a suit of CDHS, such as TD")]
pub struct CardError(String);

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        let error = || CardError(text.to_owned());
        let &[rank, suit] = text.as_bytes() else {
            return Err(error());
        };
        let rank = RANKS.iter().position(|&r| r == rank).ok_or_else(error)? as u8 + 2;
        let suit = SUITS.iter().position(|&s| s == suit).ok_or_else(error)?;
        Ok(Card::new(Suit::ALL[suit], rank))
    }
}

impl Card {
    /// Reads a card as people type it: also `10S`, `ts`, `T♠` and `♠T`, and with the mark by which some programs ask for a picture of
    /// the suit.
    ///
    /// # Errors
    /// When it is none.
    pub fn typed(text: &str) -> Result<Self, CardError> {
        const PICTURE: char = '\u{fe0f}';
        let mut plain = text.trim().trim_end_matches(PICTURE).to_uppercase().replacen("10", "T", 1);
        for (symbol, suit) in [('♣', 'C'), ('♦', 'D'), ('♥', 'H'), ('♠', 'S')] {
            // A symbol may stand first, as on a card.
            match plain.strip_prefix(symbol) {
                Some(rank) => plain = format!("{}{suit}", rank.trim_start_matches(PICTURE)),
                None => plain = plain.replace(symbol, suit.encode_utf8(&mut [0; 4])),
            }
        }
        plain.parse().map_err(|_| CardError(text.to_owned()))
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl JsonSchema for Card {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A card: rank, then suit. T is ten.",
            "type": "string",
            "pattern": "^[2-9TJQKA][CDHS]$",
        })
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The cards as an array of [`Card::id`], in this order; 0 after the last. Cards beyond the array are left out.
#[inline]
pub fn ids<const N: usize>(cards: impl IntoIterator<Item = Card>) -> [u8; N] {
    let mut ids = [0; N];
    for (place, card) in ids.iter_mut().zip(cards) {
        *place = card.id();
    }
    ids
}

/// The cards of such an array, in order.
pub fn cards_of(ids: &[u8]) -> impl Iterator<Item = Card> {
    ids.iter().take_while(|&&id| id != 0).map(|&id| Card::from_id(id))
}

/// A set of cards: one 16-bit lane a suit, one bit a rank. `|`, `&` and `-` are union, intersection and difference.
#[derive(Copy, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);

    /// The 52 cards.
    pub const DECK: CardSet = CardSet::of_ranks(0x7ffc);

    /// The cards with these [`Card::id`]s; 0 stands for none.
    #[must_use]
    #[inline]
    pub fn of_ids(ids: &[u8]) -> Self {
        Self(ids.iter().fold(0, |bits, id| bits | 1 << id) & !1)
    }

    /// This card alone.
    #[must_use]
    #[inline]
    pub const fn of(card: Card) -> Self {
        Self(1 << card.id())
    }

    /// The cards of these ranks in every suit, bit `rank` for each rank.
    #[must_use]
    #[inline]
    pub const fn of_ranks(ranks: u16) -> Self {
        Self(ranks as u64 * 0x0001_0001_0001_0001)
    }

    /// All bits of this suit's lane, of ranks that no card has too.
    #[must_use]
    #[inline]
    pub const fn of_suit(suit: Suit) -> Self {
        Self(0xffff << (suit as u64 * 16))
    }

    /// The four cards of this rank, below 16.
    #[must_use]
    #[inline]
    pub const fn of_rank(rank: u8) -> Self {
        Self(0x0001_0001_0001_0001 << rank)
    }

    /// The set with these bits, bit [`Card::id`] for each card.
    #[must_use]
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits, bit [`Card::id`] for each card.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Adds a card.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.id();
    }

    /// Removes a card.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.id());
    }

    /// Whether the card is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.id() & 1 == 1
    }

    /// The number of cards.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The card that follows `n` others in order, found without a branch. Trusted: with `n` cards or fewer
    /// it is nonsensical, and panics in builds with debug assertions.
    #[must_use]
    #[inline]
    pub fn nth(self, mut n: u32) -> Card {
        // Halves the range three times, to the byte that holds the card.
        let (mut bits, mut place) = (self.0, 0);
        for half in [32, 16, 8] {
            let low = (bits & ((1 << half) - 1)).count_ones();
            let above = n >= low;
            bits = select_unpredictable(above, bits >> half, bits);
            n = select_unpredictable(above, n.wrapping_sub(low), n);
            place += u8::from(above) * half;
        }
        Card::from_id(place | NTH[bits as usize & 255][n as usize & 7] & 7)
    }

    /// The places of the cards in an array of all cards, in order.
    #[inline]
    pub(crate) fn places(self) -> impl Iterator<Item = usize> {
        self.into_iter().map(Card::place)
    }

    /// The ranks of one suit, bit `rank`.
    #[must_use]
    #[inline]
    pub const fn lane(self, suit: Suit) -> u16 {
        (self.0 >> (suit as u64 * 16)) as u16
    }
}

impl BitOr for CardSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for CardSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for CardSet {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// The place of the nth bit of a byte.
pub(crate) const NTH: [[u8; 8]; 256] = {
    let (mut table, mut byte) = ([[0; 8]; 256], 0);
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = CardSet::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardSetIter;

    #[inline]
    fn into_iter(self) -> CardSetIter {
        CardSetIter(self.0)
    }
}

/// As a list, in order.
impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}

/// From a list in any order.
impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut set = Self::EMPTY;
        for card in Vec::<Card>::deserialize(deserializer)? {
            if set.contains(card) {
                return Err(serde::de::Error::custom(format_args!("{card} comes twice")));
            }
            set.insert(card);
        }
        Ok(set)
    }
}

impl JsonSchema for CardSet {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CardSet".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let card = generator.subschema_for::<Card>();
        json_schema!({ "type": "array", "items": card, "uniqueItems": true })
    }
}

/// The cards of a set in order.
#[derive(Clone, Debug)]
pub struct CardSetIter(u64);

impl Iterator for CardSetIter {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Card(id))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for CardSetIter {}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back() {
        let cards: Vec<Card> = Card::all().collect();
        assert_eq!(cards.len(), 52);
        assert!(cards.iter().map(|card| card.place()).eq(0..52));
        for card in cards {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::from_id(card.id()), card);
        }
        assert_eq!("TD".parse(), Ok(Card::new(Suit::Diamonds, 10)));
        for text in ["", "T", "1D", "10D", "Td", "DT", "TX", "AS ", "é"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }

    #[test]
    fn sets_list_their_cards_in_order() {
        let cards = ["AS", "2C", "TD"].map(|text| text.parse::<Card>().unwrap());
        let set: CardSet = cards.into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [cards[1], cards[2], cards[0]]);
        assert_eq!(set.len(), 3);
        assert_eq!(set.lane(Suit::Spades), 1 << 14);
        let low = CardSet::of_ranks(1 << 2 | 1 << 3);
        assert_eq!((low & set).into_iter().collect::<Vec<_>>(), [cards[1]]);
        assert_eq!((low | set).len(), 10);
        assert_eq!((low - set).len(), 7);
        assert_eq!(Card::all().collect::<CardSet>(), CardSet::DECK);
        let ids: [u8; 5] = ids(cards);
        assert_eq!(cards_of(&ids).collect::<Vec<_>>(), cards);
        assert_eq!(CardSet::of_ids(&ids), set);
    }

    /// Random moves of several games are drawn by it: the nth card is the nth that the set lists, for the
    /// whole deck, single cards and 2,000 sets in between.
    #[test]
    fn the_nth_card_is_the_nth_of_the_list() {
        use rand::RngExt as _;
        let mut rng = knave_agents::Rng::new(1);
        let all: CardSet = Card::all().collect();
        let single = Card::all().map(|card| CardSet::from_bits(1 << card.id()));
        let random = (0..2_000).map(|i| {
            let mut bits = all.bits();
            (0..i % 6).for_each(|_| bits &= rng.random::<u64>());
            CardSet::from_bits(bits)
        });
        for set in single.chain(random) {
            for (n, card) in set.into_iter().enumerate() {
                assert_eq!(set.nth(n as u32), card, "{n} of {set:?}");
            }
        }
    }
}
