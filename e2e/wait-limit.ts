/** How long tests wait for what is late on a busy machine, which is slow, not wrong. Only a test that fails waits so long. */
export const waitLimitMs = 60_000
