/** An email address. It wraps before the @, and inside its two parts only if they do not fit. */
export function EmailAddress({ email }: { email: string }) {
  const atSign = email.lastIndexOf('@')
  const domainStart = atSign < 0 ? email.length : atSign
  return (
    <span className="email-address" translate="no">
      <span>{email.slice(0, domainStart)}</span>
      <wbr />
      <span>{email.slice(domainStart)}</span>
    </span>
  )
}
