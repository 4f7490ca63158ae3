// happy-dom reports each failed request directly on stderr, where Vitest cannot filter it. Tests make requests fail on
// purpose. A module of its own, because setup.ts runs again for each test file.
const expected = /^(?:GET|POST|PUT|DELETE) http\S+ \d{3} |ECONNRESET|ECONNREFUSED|socket hang up/
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = (chunk: string | Uint8Array, ...rest: never[]) =>
  expected.test(String(chunk)) || write(chunk, ...rest)
