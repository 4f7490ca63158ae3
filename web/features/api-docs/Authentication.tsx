import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/api-docs.ts'
import { Snippet } from './Snippet.tsx'

/** The shape of a key; not a valid one. */
const sampleKey = 'ksnap_4Tq8mWz2RkXv7LpYc1NsBd90HgJf6aEuQx3T5rVbKoPm2Zi4f9c'

/** How a program authenticates: with an API key in a header. */
export function Authentication() {
  const text = useText({ apiDocs }).auth
  return (
    <>
      <p>{text.lead}</p>
      <Snippet label={text.header} code={`X-API-Key: ${sampleKey}`} />
      <p>{text.key}</p>
    </>
  )
}
