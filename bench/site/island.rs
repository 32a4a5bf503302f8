use std::env;

fn main() {
    let method = env::var("REQUEST_METHOD").unwrap_or_default();
    print!("Content-Type: text/html\r\n\r\n");
    println!("<section><h2>Rust</h2><p>method {method}</p></section>");
}
