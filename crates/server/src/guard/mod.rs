//! Who may ask. Not only the user: pages of others in the same browser can send
//! requests to this machine too, and elsewhere than on loopback anybody can.

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

/// Whom to answer.
pub(crate) struct RequestGuard {
    allowed_hosts: AllowedHosts,
    auth: Option<Auth>,
}

/// Lets a request through, or answers it.
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
        Ok(Some(answer)) => answer,
        Err(refusal) => refusal.into_response(),
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

    /// Whether a request that may pass shows that the client knows this server:
    /// the token, or, where none is needed, more than a check for its health.
    fn is_authorized<B>(&self, request: &Request<B>) -> bool {
        match &self.auth {
            Some(pass) => pass.is_authenticated(request),
            None => !is_public(request),
        }
    }

    /// Nothing if the request may pass, or what to answer instead.
    fn evaluate<B>(&self, request: &Request<B>) -> Result<Option<Response>, ApiError> {
        let Some(host) = self.allowed_hosts.requested_host(request) else {
            return Err(ApiError::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this server does not go by that name; `rtoscope view --host` can give it one",
            ));
        };
        if origin::is_cross_origin(request, &host) {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "only the viewer's own page may ask this",
            ));
        }
        let Some(pass) = &self.auth else {
            return Ok(None);
        };
        if let Some(answer) = pass.login_redirect(request) {
            return Ok(Some(answer));
        }
        // Whoever arrives cannot show the cookie yet, and the page is no secret.
        if is_public(request)
            || origin::is_cross_site_navigation(request)
            || pass.is_authenticated(request)
        {
            return Ok(None);
        }
        Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "this needs the token: open the address that `rtoscope view` printed",
        ))
    }
}

/// Whether anybody may ask it.
fn is_public<B>(request: &Request<B>) -> bool {
    request.uri().path() == "/healthz"
}
