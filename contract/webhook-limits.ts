/** Limits of outgoing webhooks; docs/security.md T36. In a file of their own, because few pages of the web app need them. */
export const webhookLimits = {
  webhooksMax: 10,
  urlChars: 2_048,
  /** Of one attempt, from the connection to the end of the answer. */
  timeoutMs: 10_000,
  /** Of the receiver's answer, which the log of deliveries keeps. */
  responseBytes: 1_024,
  /** How long a delivery is attempted again; then the webhook is switched off. */
  retryHours: 24,
  /** How long the previous secret signs too after it was replaced. */
  secretOverlapHours: 24,
  keepDays: 30,
  deliveriesPageDefault: 50,
  deliveriesPageMax: 100,
  /** Deliveries of one webhook that wait; of later events, the log says that they were not sent. */
  waitingMax: 10_000,
  /** Tests and replays of one account: their log is kept for 30 days. */
  ownDeliveriesPerDay: 1_000,
  attemptsShown: 20,
} as const
