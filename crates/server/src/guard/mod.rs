//! Who may ask. Not only the user: pages of others in the same browser can send
//! requests to this machine too, and elsewhere than on loopback anybody can.

mod host;
mod origin;
mod pass;
mod token;

pub use host::HostName;
pub(crate) use host::is_local;
pub use token::{BadToken, Token};

use crate::connection::Connection;
use crate::refusal::Refusal;
use crate::state::State;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{Request, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use host::Hosts;
use pass::Pass;
use std::net::SocketAddr;
use std::sync::Arc;

/// Whom to answer.
pub(crate) struct Guard {
    hosts: Hosts,
    pass: Option<Pass>,
}

/// Lets a request through, or answers it.
pub(crate) async fn check(
    Shared(state): Shared<Arc<State>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    match state.guard.judge(&request) {
        Ok(None) => {
            if state.guard.is_authorized(&request)
                && let Some(connection) = request.extensions().get::<Connection>()
            {
                connection.authorize();
            }
            next.run(request).await
        }
        Ok(Some(answer)) => answer,
        Err(refusal) => refusal.into_response(),
    }
}

impl Guard {
    /// For a server that listens on an address.
    pub(crate) fn new(listens: SocketAddr, given: Vec<HostName>, token: Option<Token>) -> Self {
        Self {
            hosts: Hosts::new(listens, given),
            pass: token.map(|token| Pass::new(token, listens.port())),
        }
    }

    /// Whether a request that may pass shows that the client knows this server:
    /// the token, or, where none is needed, more than a check for its health.
    fn is_authorized<B>(&self, request: &Request<B>) -> bool {
        match &self.pass {
            Some(pass) => pass.is_shown(request),
            None => !is_public(request),
        }
    }

    /// Nothing if the request may pass, or what to answer instead.
    fn judge<B>(&self, request: &Request<B>) -> Result<Option<Response>, Refusal> {
        let Some(host) = self.hosts.of(request) else {
            return Err(Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this server does not go by that name; `rtoscope view --host` can give it one",
            ));
        };
        if origin::is_foreign(request, &host) {
            return Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "only the viewer's own page may ask this",
            ));
        }
        let Some(pass) = &self.pass else {
            return Ok(None);
        };
        if let Some(answer) = pass.welcome(request) {
            return Ok(Some(answer));
        }
        // Whoever arrives cannot show the cookie yet, and the page is no secret.
        if is_public(request) || origin::is_arrival(request) || pass.is_shown(request) {
            return Ok(None);
        }
        Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "this needs the token: open the address that `rtoscope view` printed",
        ))
    }
}

/// Whether anybody may ask it.
fn is_public<B>(request: &Request<B>) -> bool {
    request.uri().path() == "/healthz"
}
