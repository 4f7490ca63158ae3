import { TriangleAlert, X } from 'lucide-react'
import { useText } from '../../../lib/i18n.tsx'
import { upload } from '../../../messages/en/upload.ts'
import { Button } from '../../../ui/Button.tsx'
import type { UnsentFiles } from './unsent-files.ts'

/** Says which files an earlier page did not send. */
export function UnsentNote({ files: { names, total }, onDismiss }: { files: UnsentFiles; onDismiss: () => void }) {
  const text = useText({ upload }).unsent
  return (
    <div className="note note--warn upload__unsent">
      <TriangleAlert className="icon" />
      <div className="upload__unsent-text">
        <output>{text.message(names.length, total)}</output>
        <details>
          <summary>{text.names}</summary>
          <ul translate="no">
            {names.map((name, index) => (
              <li className="file-name" key={index}>
                {name}
              </li>
            ))}
          </ul>
        </details>
      </div>
      <Button tone="ghost" icon aria-label={text.dismiss} onClick={onDismiss}>
        <X className="icon" />
      </Button>
    </div>
  )
}
