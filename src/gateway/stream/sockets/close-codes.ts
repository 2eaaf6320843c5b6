/** WebSocket close codes of the streams. The server's own 1001 and 1009 are not among them. */
export const CloseCode = {
  policyViolation: 1008,
  /** IANA "try again later": another node of the cluster may serve the client. */
  tryAgainLater: 1013,
  /** The key or session of the socket was revoked, ended or expired. */
  credentialEnded: 4001,
  /** The client reads too slowly. */
  tooSlow: 4002,
} as const;
