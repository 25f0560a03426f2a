/** Forbids requests to other hosts than the one that the user has asked for. */

/** Adds a policy to that of the document, which has to allow any host for such a link. */
export function narrowPolicy(address: string | undefined): void {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  const host = address === undefined ? "" : ` ${new URL(address, location.href).origin}`;
  policy.content = `connect-src 'self'${host}`;
  document.head.append(policy);
}
