//! An island in Rust: grows a coral and draws it as SVG, a new one at each visit.
//!
//! Build:  rustc -O -o cgi-bin/coral cgi-bin/source/coral/coral.rs     (or: make islands)

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// A small random generator (xorshift), so that the island needs nothing but the standard library.
struct Dice(u64);

impl Dice {
    /// A number from `low` up to `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A coral under way: for each generation of branches the outline of all its branches.
#[derive(Default)]
struct Coral {
    generations: Vec<String>,
    polyps: usize,
}

impl Coral {
    /// Grows one branch and then its twigs. `angle` 0 points up; each generation is a bit shorter.
    fn grow(&mut self, dice: &mut Dice, (x, y): (f64, f64), angle: f64, length: f64, generation: usize) {
        if self.generations.len() == generation {
            self.generations.push(String::new());
        }
        let tip = (x + length * angle.sin(), y - length * angle.cos());
        let _ = write!(self.generations[generation], "M{:.1} {:.1}L{:.1} {:.1}", x, y, tip.0, tip.1);
        if length < 3.6 || generation == 7 {
            self.polyps += 1;
            return;
        }
        for side in [-1.0, 1.0] {
            let (turn, shorter) = (dice.between(0.1, 0.6), dice.between(0.66, 0.86));
            self.grow(dice, tip, angle + side * turn, length * shorter, generation + 1);
        }
    }

    /// The first generation is the thickest; the last ends in the round polyps.
    fn svg(&self) -> String {
        let mut svg = String::new();
        for (generation, outline) in self.generations.iter().enumerate() {
            let width = 5.0 * 0.74f64.powi(generation as i32);
            let _ = write!(svg, r#"<path d="{}" stroke-width="{:.1}"/>"#, outline, width.max(1.5));
        }
        svg
    }
}

fn main() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let pid = std::process::id();
    let mut dice = Dice((now.as_nanos() as u64 ^ u64::from(pid) << 40) | 1);
    for _ in 0..8 {
        dice.between(0.0, 1.0); // the first few throws still resemble the seed
    }

    let mut coral = Coral::default();
    for (root, lean) in [(64.0, -0.35), (122.0, 0.0), (178.0, 0.3)] {
        let length = dice.between(13.0, 19.0);
        coral.grow(&mut dice, (root, 82.0), lean, length, 0);
    }

    let seconds = now.as_secs();
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    print!("Content-Type: text/html; charset=utf-8\n\n");
    println!(r#"<div class="answer"><svg class="coral" viewBox="0 0 240 80" aria-hidden="true">{}</svg>"#, coral.svg());
    println!("<p>A coral of <b>{}</b> polyps. Reload and it has grown otherwise.</p></div>", coral.polyps);
    println!(r#"<p class="log">Rust &middot; process {} &middot; <time>{:02}:{:02}:{:02} UTC</time></p>"#,
             pid, hour, minute, second);
}
