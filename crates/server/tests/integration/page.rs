//! The page and its files.

use crate::support::{message, start};

#[test]
fn the_server_is_healthy() {
    let reply = start().get("/healthz");
    assert_eq!((reply.status, reply.text()), (200, "ok\n"));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
}

#[test]
fn assets_are_cached() {
    let server = start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let start = page.text().find("./assets/").unwrap() + 1;
    let rest = &page.text()[start..];
    let script = &rest[..rest.find('"').unwrap()];
    let script = server.get(script);
    assert_eq!(script.status, 200);
    let cache_control = script.header("cache-control").unwrap();
    assert!(cache_control.contains("immutable"), "{cache_control}");
    assert_eq!(server.get("/index.html").body, page.body);
    let icon = server.get("/icon.svg");
    assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
}

#[test]
fn every_response_has_security_headers() {
    let server = start();
    let foreign = message("GET /", &["Host: evil.example"], b"");
    for reply in [
        server.get("/"),
        server.get("/api/traces"),
        server.get("/nothing"),
        server.request("PUT /api/traces", &[], b""),
        server.exchange(&foreign),
    ] {
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"));
        assert!(policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"));
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{}", reply.head);
        }
        assert!(reply.header("cache-control").is_some());
    }
}

/// The part of a text up to the first character that no path contains.
fn path_at(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    let in_path = |character: char| character.is_ascii_alphanumeric() || "/._-".contains(character);
    &rest[..rest.find(|character| !in_path(character)).unwrap()]
}

#[test]
fn only_the_layout_worker_may_compile_webassembly() {
    let server = start();
    let page = server.get("/");
    let script = page.text().find("/assets/index-").unwrap();
    let script = server.get(path_at(page.text(), script));
    let thread = script.text().find("graphviz.worker-").unwrap();
    let thread = server.get(&format!("/assets/{}", path_at(script.text(), thread)));
    assert_eq!(thread.status, 200);
    let policy = thread.header("content-security-policy").unwrap();
    assert_eq!(
        policy,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'"
    );
    let policy = script.header("content-security-policy").unwrap();
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn paths_do_not_reach_the_file_system() {
    let server = start();
    for path in [
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/assets/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/assets/..%5c..%5cCargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/./index.html",
        "/index.html%00",
        "/assets",
        "/assets/",
        "/api",
        "/api/traces/../../etc/passwd",
        "/api/traces/1/../../../etc/passwd",
    ] {
        let error = server.get(path).error(404);
        assert!(!error.contains("root:"), "{path}");
    }
}

#[test]
fn unsupported_requests_are_explained() {
    let server = start();
    server.request("POST /", &[], b"").error(405);
    server.request("PUT /api/traces", &[], b"").error(405);
    server.get("/api/traces/1/query").error(405);
    assert_eq!(server.request("HEAD /", &[], b"").body, b"");
}
