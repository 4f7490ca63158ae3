// Generates a client from an OpenAPI document, by a generator that knows nothing of ours: node generate.mjs DOCUMENT FOLDER
import { createClient } from '@hey-api/openapi-ts'

const [input, path] = process.argv.slice(2)
await createClient({
  input,
  // Node runs the client as it is.
  output: { path, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'error', file: false },
})
