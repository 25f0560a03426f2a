//! Rejected requests.

use crate::support::{TestServer, message, session, start, start_with, trace};
use rtoscope_server::{Server, ServerOptions};
use std::net::{IpAddr, Ipv4Addr};

const TOKEN: &str = "correct-horse-battery";

/// A server on all addresses, as far as the system allows.
fn public_server() -> TestServer {
    let settings = ServerOptions {
        address: (Ipv4Addr::UNSPECIFIED, 0).into(),
        token: Some(TOKEN.parse().unwrap()),
        hosts: vec!["scope.lan".parse().unwrap()],
        ..ServerOptions::default()
    };
    let server = Server::bind(settings.clone()).unwrap();
    let port = server.url().split([':', '/']).nth(4).unwrap().to_owned();
    assert_eq!(
        server.url(),
        format!("http://scope.lan:{port}/?token={TOKEN}")
    );
    drop(server);
    let settings = ServerOptions {
        hosts: Vec::new(),
        ..settings
    };
    start_with(settings, |server| {
        server.add(session(&trace("cm3_short.trx")), None).unwrap();
    })
}

#[test]
fn servers_listen_on_loopback_by_default() {
    let server = start();
    assert_eq!(server.address.ip(), IpAddr::V4(Ipv4Addr::LOCALHOST));
    assert_eq!(server.url, format!("http://{}/", server.address));
}

#[test]
fn unknown_host_names_are_rejected() {
    let server = start();
    let port = server.address.port();
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1:1",
        "",
    ] {
        for line in ["GET /", "GET /api/traces", "GET /healthz"] {
            let header = format!("Host: {host}");
            let reply = server.exchange(&message(line, &[&header], b""));
            assert!(reply.error(421).contains("--host"));
        }
    }
    server.exchange(&message("GET /", &[], b"")).error(421);
    let local = format!("Host: LOCALHOST:{port}");
    assert_eq!(
        server.exchange(&message("GET /", &[&local], b"")).status,
        200
    );
}

#[test]
fn cross_origin_requests_are_rejected() {
    let server = start();
    let json = "Content-Type: application/json";
    for header in [
        "Origin: http://evil.example",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ] {
        let query = br#"{"query":"overview"}"#;
        let response = server.request("POST /api/traces/1/query", &[json, header], query);
        response.error(403);
        server.request("GET /api/traces", &[header], b"").error(403);
        server
            .request("DELETE /api/traces/1", &[header], b"")
            .error(403);
    }
    let own = format!("Origin: http://{}", server.address);
    let own = [own.as_str(), "Sec-Fetch-Site: same-origin"];
    assert_eq!(server.request("GET /api/traces", &own, b"").status, 200);
}

#[test]
fn public_servers_generate_a_token() {
    let settings = ServerOptions {
        address: (Ipv4Addr::UNSPECIFIED, 0).into(),
        ..ServerOptions::default()
    };
    let server = Server::bind(settings).unwrap();
    let (address, token) = server.url().split_once("/?token=").unwrap();
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    assert_eq!(token.len(), 32);
}

#[test]
fn public_servers_require_the_token() {
    let server = public_server();
    for line in [
        "GET /",
        "GET /index.html",
        "GET /api/traces",
        "POST /api/traces",
        "GET /x",
    ] {
        for header in [
            "X-Other: 1",
            "Authorization: Bearer correct-horse-batterx",
            "Cookie: rtoscope-1=correct-horse-battery",
        ] {
            let error = server.request(line, &[header], b"").error(401);
            assert!(!error.contains(TOKEN));
        }
    }
    server.get("/?token=wrong").error(401);
    server.get(&format!("/api/traces?token={TOKEN}")).error(401);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn token_grants_access() {
    let server = public_server();
    let bearer = format!("Authorization: Bearer {TOKEN}");
    let listed = server.request("GET /api/traces", &[&bearer], b"");
    assert_eq!(listed.json()[0]["id"], 1);

    let welcome = server.get(&format!("/?token={TOKEN}&x=1"));
    assert_eq!(welcome.status, 303);
    assert_eq!(welcome.header("location"), Some("/?x=1"));
    assert_eq!(welcome.header("cache-control"), Some("no-store"));
    let cookie = welcome.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"));
    let shown = format!("Cookie: {}", cookie.split(';').next().unwrap());
    assert_eq!(server.request("GET /", &[&shown], b"").status, 200);
    assert_eq!(
        server.request("GET /api/traces", &[&shown], b"").status,
        200
    );

    let foreign = [shown.as_str(), "Origin: http://evil.example"];
    server.request("GET /api/traces", &foreign, b"").error(403);
    let named = message("GET /api/traces", &["Host: evil.example", &bearer], b"");
    server.exchange(&named).error(421);
}

#[test]
fn cross_site_links_reach_the_page() {
    let server = public_server();
    let link = [
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Dest: document",
    ];
    assert_eq!(server.request("GET /", &link, b"").status, 200);
    let welcome = format!("GET /?token={TOKEN}");
    assert_eq!(server.request(&welcome, &link, b"").status, 303);
    server.request("GET /api/traces", &link, b"").error(403);
}
