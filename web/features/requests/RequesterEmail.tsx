import { splitEmailAddress } from './messages.ts'

/** An email address that wraps before the @ first. */
export function RequesterEmail({ address }: { address: string }) {
  const [localPart, domain] = splitEmailAddress(address)
  return (
    <span className="email-address" translate="no">
      <span>{localPart}</span>
      <wbr />
      <span>{domain}</span>
    </span>
  )
}
