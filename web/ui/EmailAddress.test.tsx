import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { EmailAddress } from './EmailAddress.tsx'

test.each([
  ['lotte@example.com', ['lotte', '@example.com']],
  ['"odd@name"@example.com', ['"odd@name"', '@example.com']],
  ['nothing', ['nothing', '']],
])('%s may wrap before its last @', (email, parts) => {
  const { container } = render(<EmailAddress email={email} />)
  const shownParts = [...container.querySelectorAll('.email-address > span')].map(({ textContent }) => textContent)
  expect(shownParts).toEqual(parts)
})
