import { useId } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { codeFilename } from '../codes.ts'
import type { Face } from './face.ts'

interface Props {
  face: Face
  open: boolean
  onClose: () => void
}

/** The code alone, as large as the screen allows. */
export function CodeDialog({ face, open, onClose }: Props) {
  const text = useText({ latest })
  const media = useMediaUrl()
  const id = useId()
  const { photo, byEmail, code } = face
  const address = byEmail ? photo.email_qr_code_url : photo.qr_code_url
  return (
    <Dialog open={open && code !== null} onClose={onClose} className="dialog code-dialog" aria-labelledby={id}>
      <h2 id={id}>{text.codeDialog.title}</h2>
      <div className="code-dialog__card">
        <img src={code ?? undefined} width="41" height="41" alt={text.code.alt} />
        <p className="cut file-name" translate="no">
          {photo.filename}
        </p>
      </div>
      <div className="dialog__acts">
        <Button onClick={onClose}>{text.codeDialog.close}</Button>
        <a
          className={buttonClass({ tone: 'primary' })}
          href={media(address) ?? undefined}
          download={codeFilename(photo.filename)}
        >
          <span className="sentence">{text.codeDialog.download}</span>
        </a>
      </div>
    </Dialog>
  )
}
