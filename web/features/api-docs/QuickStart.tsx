import { apiDocument, type ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/api-docs.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { apiSection } from './api-section.ts'
import { SampleSnippet } from './samples.tsx'

/** A first call to try, and what applies to all calls: base URL, formats, tools. */
export function QuickStart({ document }: { document: ApiDocument }) {
  const text = useText({ apiDocs }).start
  const { origin } = useApi()
  const baseUrl = useRef<HTMLElement>(null)
  return (
    <>
      <p>
        {text.lead} <Link to={apiSection}>{text.toSettings}</Link>
      </p>
      <SampleSnippet samples={document.paths['/api/upload']?.post?.['x-codeSamples'] ?? []} />
      <dl className="facts">
        <div>
          <dt>{text.baseUrl}</dt>
          <dd className="facts__copy">
            <code ref={baseUrl} translate="no">
              {origin}
            </code>
            <CopyButton icon text={origin} label={text.baseUrl} shownIn={baseUrl} />
          </dd>
        </div>
        <div>
          <dt>{text.format}</dt>
          <dd>{text.formatText}</dd>
        </div>
        <div>
          <dt>{text.booths}</dt>
          <dd>
            <a href={`${origin}/keepsnap-upload.mjs`} download translate="no">
              keepsnap-upload.mjs
            </a>
            <br />
            {text.boothsText}
          </dd>
        </div>
        <div>
          <dt>{text.machine}</dt>
          <dd>
            <a href={`${origin}${apiDocument.path}`} translate="no">
              {apiDocument.path.slice(1)}
            </a>
            <br />
            {text.machineText}
          </dd>
        </div>
      </dl>
    </>
  )
}
