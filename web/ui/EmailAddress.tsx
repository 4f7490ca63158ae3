/** An email address. It wraps before the @, and inside its two parts only if they do not fit. */
export function EmailAddress({ email }: { email: string }) {
  const at = Math.max(email.lastIndexOf('@'), 0)
  return (
    <b className="email-address" translate="no">
      <span>{email.slice(0, at)}</span>
      <wbr />
      <span>{email.slice(at)}</span>
    </b>
  )
}
