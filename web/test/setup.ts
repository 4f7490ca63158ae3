import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// happy-dom prints every request that is refused or cut, straight to stderr; tests refuse and cut on purpose.
const expected = /^(?:GET|POST|PUT|DELETE) http\S+ \d{3} |ECONNRESET|socket hang up/
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = (chunk: string | Uint8Array, ...rest: never[]) =>
  expected.test(String(chunk)) || write(chunk, ...rest)

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 8_000 })

afterEach(() => {
  cleanup()
  window.localStorage.clear()
  window.sessionStorage.clear()
})
