/** An e-mail address: data, that breaks before the @ and, when it must, nowhere else but in its halves. */
export function Address({ email }: { email: string }) {
  const at = Math.max(email.lastIndexOf('@'), 0)
  return (
    <b className="addr" translate="no">
      <span>{email.slice(0, at)}</span>
      <wbr />
      <span>{email.slice(at)}</span>
    </b>
  )
}
