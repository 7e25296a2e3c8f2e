//! `tree` as a game, and how trees are written.

use knave_agents::toys::tree::{Shape, Tree};
use knave_agents::{Game as _, testkit};

const RICH: &str = "0[1[90/10 c[1:20/80 2:0[0/0 100/100]]] 0[50/50 60/40] c[5:1[0/100 40/60] 1:100/0]]";

#[test]
fn tree_conforms() {
    let shape = Tree::new(RICH).shape().clone();
    testkit::conformance::<Tree>(std::slice::from_ref(&shape), 200, 10, |_| ());
    testkit::enumeration::<Tree>(&[shape], 100);
}

/// Values worked out by hand: seat 0 takes its 60, for seat 1 leaves it 0.2/3 + 2/3 in the first
/// branch (it prefers 28/30 to 10/100) and 1/6 in the last.
#[test]
fn values_are_those_by_hand() {
    let root = Tree::new(RICH);
    let after = |m| {
        let mut after = root.clone();
        after.play(m);
        after.exact()
    };
    assert!((after(0)[0] - (0.2 / 3.0 + 2.0 / 3.0)).abs() < 1e-12);
    assert!((after(0)[1] - (0.8 / 3.0 + 2.0 / 3.0)).abs() < 1e-12);
    assert!((after(1)[0] - 0.6).abs() < 1e-12);
    assert!((after(2)[0] - 1.0 / 6.0).abs() < 1e-12);
    assert!((root.exact()[0] - 2.2 / 3.0).abs() < 1e-12);
    assert!((Tree::new("0[0 0[50 100] c[1:0 3:100]]").random()[0] - 0.5).abs() < 1e-12);
}

#[test]
fn malformed_trees_are_refused() {
    for text in
        ["", "0[", "0[]", "0[1 2", "c[1 2]", "c[0:5]", "0[1 2] 3", "0[1/2 3]", "2[1/2 3/4]", "101", "x"]
    {
        assert!(Shape::parse(text).is_err(), "{text}");
    }
}
