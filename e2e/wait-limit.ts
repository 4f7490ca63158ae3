/** The timeout of waits in tests. Generous, because a busy machine is slow; only failing tests wait so long. */
export const waitLimitMs = 120_000
