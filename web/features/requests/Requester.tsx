import { addressParts } from './messages.ts'

/** An e-mail address that breaks at the @ and, when it must, nowhere else but in its halves. */
export function Requester({ address }: { address: string }) {
  const [name, domain] = addressParts(address)
  return (
    <span className="addr" translate="no">
      <span>{name}</span>
      <wbr />
      <span>{domain}</span>
    </span>
  )
}
