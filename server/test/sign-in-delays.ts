import type { TestServer } from './harness.ts'

/** Makes the delay after wrong passwords of an account an hour longer: the first one is a second, and passes on a busy machine. */
export const lengthenDelay = (server: TestServer, email: string): Promise<unknown> =>
  server.app.deps.pool.query(
    "update sign_in_delays set last_failure_at = now() + interval '1 hour' where account = $1",
    [email],
  )
