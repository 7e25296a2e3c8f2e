//! `kuhn` as a game.

use knave_agents::rng::{Role, stream};
use knave_agents::toys::kuhn::{Kuhn, Move};
use knave_agents::{Game as _, testkit};

#[test]
fn kuhn_conforms() {
    testkit::conformance::<Kuhn>(&[()], 200, 3, |_| ());
    testkit::hidden_information::<Kuhn>(&[()], 20);
}

/// All six deals are as likely, and so are both cards that the other can hold.
#[test]
fn deals_and_worlds_are_uniform() {
    let mut deals = [0; 9];
    for i in 0..6000 {
        let deal = Kuhn::deal(&(), &mut stream(1, i, Role::Deal));
        let [a, b] = [0, 1].map(|seat| usize::from(deal.card(seat)));
        deals[(a - 1) * 3 + b - 1] += 1;
    }
    assert_eq!([deals[0], deals[4], deals[8]], [0; 3]);
    let dealt: Vec<u64> = deals.into_iter().filter(|&n| n > 0).collect();
    testkit::frequencies("deals", &dealt, &[1000.0; 6]);
    let mut rng = stream(1, 0, Role::Deal);
    for own in 1..=3 {
        let other = own % 3 + 1;
        let view = Kuhn::at([other, own], &[Move::Bet]).view(1);
        let same = (0..2000).filter(|_| Kuhn::sample_world(&view, &mut rng).card(0) == other).count();
        testkit::frequencies("worlds", &[same as u64, 2000 - same as u64], &[1000.0; 2]);
    }
}
