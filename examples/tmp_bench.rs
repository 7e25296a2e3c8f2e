//! temp
use knave::games::whist::*;
use knave::games::CardGame;
use knave_agents::rng::stream;
use knave_agents::*;
struct Instant(u128); impl Instant { fn now()->Self{Self(cpu())} fn elapsed(&self)->E{E(cpu()-self.0)} } struct E(u128); impl E { fn as_nanos(&self)->u128{self.0} }
fn cpu()->u128{ std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(" ").next().unwrap().parse().unwrap() }
#[allow(clippy::disallowed_methods)]
fn main() {
    let rules = Rules::default();
    let n = 1_000_000u64;
    for _ in 0..2 {
        let t = Instant::now();
        let mut x = 0;
        let mut rng = stream(1, 0, Role::Deal);
        for _ in 0..n { let p = Whist::deal(&rules, &mut rng); x ^= p.hand(0).bits(); }
        println!("deal {:.1} ns {x}", t.elapsed().as_nanos() as f64 / n as f64);
        let t = Instant::now();
        let mut x = 0;
        let mut buf = Vec::new();
        for _ in 0..n { let mut p = Whist::deal(&rules, &mut rng);
            while let Turn::Player(_) = p.turn() { let m = p.random_move(&mut buf, &mut rng); p.play(m); }
            x += p.score(0); }
        println!("game {:.1} ns {x}", t.elapsed().as_nanos() as f64 / n as f64);
        // four rngs
        let mut rngs = [stream(1,1,Role::Agent(0)),stream(1,1,Role::Agent(1)),stream(1,1,Role::Agent(2)),stream(1,1,Role::Agent(3))];
        let t = Instant::now();
        for _ in 0..n { let mut p = Whist::deal(&rules, &mut rng);
            while let Turn::Player(s) = p.turn() { let m = p.random_move(&mut buf, &mut rngs[s]); p.play(m); }
            x += p.score(0); }
        println!("game4 {:.1} ns {x}", t.elapsed().as_nanos() as f64 / n as f64);
        // legal only, first legal card
        let t = Instant::now();
        for _ in 0..n { let mut p = Whist::deal(&rules, &mut rng);
            while let Turn::Player(_) = p.turn() { let m = Move(p.legal().into_iter().next().unwrap()); p.play(m); }
            x += p.score(0); }
        println!("first {:.1} ns {x}", t.elapsed().as_nanos() as f64 / n as f64);

        let t = Instant::now();
        for _ in 0..n { let mut p = Whist::deal(&rules, &mut rng);
            while let Turn::Player(_) = p.turn() { let m = Move(p.legal().nth(0)); p.play(m); }
            x += p.score(0); }
        println!("nth0 {:.1} ns {x}", t.elapsed().as_nanos() as f64 / n as f64);
        let t = Instant::now();
        for _ in 0..n { let mut p = Whist::deal(&rules, &mut rng);
            while let Turn::Player(_) = p.turn() { let l = p.legal(); let k = (l.bits().wrapping_mul(0x9e3779b97f4a7c15) >> 32) as u32; let m = Move(l.nth(((k as u64 * l.len() as u64) >> 32) as u32)); p.play(m); }
            x += p.score(0); }
        println!("hash {:.1} ns {x}", t.elapsed().as_nanos() as f64 / n as f64);
        let mut y = 0;
        let t = Instant::now();
        for _ in 0..n { let mut p = Whist::deal(&rules, &mut rng);
            while let Turn::Player(_) = p.turn() { y ^= knave_agents::rng::below(&mut rng, p.legal().len() as u32);  let m = Move(p.legal().into_iter().next().unwrap()); p.play(m); }
            x += p.score(0); }
        println!("rng+first {:.1} ns {x} {y}", t.elapsed().as_nanos() as f64 / n as f64);
        let mut views = Vec::new(); let mut ps = Vec::new();
        for i in 0..200u64 {
            let mut p = Whist::deal(&rules, &mut stream(5, i, Role::Deal));
            while let Turn::Player(s) = p.turn() {
                ps.push((p, s));
                views.push(p.view(s));
                let m = p.random_move(&mut buf, &mut rng); p.play(m);
            }
        }
        let t = Instant::now();
        for _ in 0..20 { for (p, s) in &ps { x += p.view(*s).hand.len() as i64; } }
        let tv = t.elapsed().as_nanos() as f64 / 20.0;
        let t = Instant::now();
        for v in &views { for _ in 0..50 { let w = Whist::sample_world(v, &mut rng); x += w.hand(0).len() as i64; } }
        let tot = t.elapsed().as_nanos() as f64 / 50.0; let k = views.len();
        println!("view {:.1} ns, world {:.1} ns {x}", tv / k as f64, tot / k as f64);
    }
}
