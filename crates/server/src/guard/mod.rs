//! Access control. Not only the user sends requests: foreign pages in the same browser
//! can reach this machine, and anyone can if the server does not listen on loopback.

mod auth;
mod host;
mod origin;
mod token;

pub use host::HostName;
pub(crate) use host::is_local;
pub use token::{InvalidToken, Token};

use crate::connection::ConnectionHandle;
use crate::error::ApiError;
use crate::state::ServerState;
use auth::Auth;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{Request, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use host::AllowedHosts;
use std::net::SocketAddr;
use std::sync::Arc;

/// Decides which requests are accepted.
pub(crate) struct RequestGuard {
    allowed_hosts: AllowedHosts,
    auth: Option<Auth>,
}

/// Passes a request on, or responds to it.
pub(crate) async fn check(
    Shared(state): Shared<Arc<ServerState>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    match state.guard.evaluate(&request) {
        Ok(None) => {
            if state.guard.is_authorized(&request)
                && let Some(connection) = request.extensions().get::<ConnectionHandle>()
            {
                connection.authorize();
            }
            next.run(request).await
        }
        Ok(Some(response)) => response,
        Err(error) => error.into_response(),
    }
}

impl RequestGuard {
    /// For a server that listens on an address.
    pub(crate) fn new(listens: SocketAddr, given: Vec<HostName>, token: Option<Token>) -> Self {
        Self {
            allowed_hosts: AllowedHosts::new(listens, given),
            auth: token.map(|token| Auth::new(token, listens.port())),
        }
    }

    /// Whether an accepted request shows that the client knows this server: it has the
    /// token or, if none is needed, is more than a health check.
    fn is_authorized<B>(&self, request: &Request<B>) -> bool {
        match &self.auth {
            Some(auth) => auth.is_authenticated(request),
            None => !is_public(request),
        }
    }

    /// `None` if the request is accepted, else the response to send instead.
    fn evaluate<B>(&self, request: &Request<B>) -> Result<Option<Response>, ApiError> {
        let Some(host) = self.allowed_hosts.requested_host(request) else {
            return Err(ApiError::new(
                StatusCode::MISDIRECTED_REQUEST,
                "unknown host name; allow it with `rtoscope view --host`",
            ));
        };
        if origin::is_cross_origin(request, &host) {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "only the viewer's own page may send this request",
            ));
        }
        let Some(auth) = &self.auth else {
            return Ok(None);
        };
        if let Some(response) = auth.login_redirect(request) {
            return Ok(Some(response));
        }
        // A visitor from a link cannot send the cookie yet, and the page is not secret.
        if is_public(request)
            || origin::is_cross_site_navigation(request)
            || auth.is_authenticated(request)
        {
            return Ok(None);
        }
        Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "this request needs the token: open the address that `rtoscope view` printed",
        ))
    }
}

/// Whether a request needs no token.
fn is_public<B>(request: &Request<B>) -> bool {
    request.uri().path() == "/healthz"
}
