import { afterAll, beforeAll, inject } from 'vitest'
import { databaseEnv } from './program.ts'
import { createTestServer, type TestServer } from './test-server.ts'

/** The program that spec files share, for the tests of the file that calls it; afterwards its pages are closed. */
export function useSharedServer({ hasLongName = false } = {}): TestServer {
  let server: TestServer
  beforeAll(() => {
    const shared = inject('sharedServer')
    const env = { ...databaseEnv(shared.database), ...shared.store }
    const address = hasLongName ? shared.longAddress : shared.address
    server = createTestServer({ ...shared, address, apiAddress: shared.address, env })
  })
  afterAll(() => server.close())
  return new Proxy({} as TestServer, { get: (_, name: keyof TestServer) => server[name] }) // of the running tests
}
