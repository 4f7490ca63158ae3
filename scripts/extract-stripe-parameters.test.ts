import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { extractStripeParameters, parametersPath, writeStripeParameters } from './extract-stripe-parameters.ts'
import { root } from './source-files.ts'

test('the parameters that the Stripe double knows are those of the package', () => {
  const kept = readFileSync(join(root, parametersPath), 'utf8')
  // When it differs: node scripts/extract-stripe-parameters.ts
  expect(writeStripeParameters(extractStripeParameters())).toBe(kept)
})
