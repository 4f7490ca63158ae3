import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { paths } from '../../lib/paths.ts'
import homeCode from '../../pictures/code-home.svg'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Print } from '../../ui/Print.tsx'
import './not-found.css'
import { notFound } from '../../messages/en/frame.ts'

export function NotFoundPage() {
  const text = useText({ notFound })
  const navigate = useNavigate()
  usePageTitle(text.title)
  return (
    <div className="wrap not-found">
      <div className="not-found__print" aria-hidden="true">
        <Print
          photo={
            <span className="not-found__404" translate="no">
              404
            </span>
          }
          line={text.print}
          meta="KS-0404 · --:--"
          code={{ src: homeCode, alt: '' }}
        />
      </div>
      <div className="not-found__text">
        <PageHeading>{text.heading}</PageHeading>
        <p className="lead">{text.lead}</p>
        <div className="row">
          <Button
            tone="primary"
            large
            onClick={() => (window.history.length > 1 ? navigate(-1) : navigate(paths.home))}
          >
            <ArrowLeft className="icon" />
            {text.goBack}
          </Button>
          <Link className={buttonClass({ large: true })} to={paths.home}>
            {text.goHome}
          </Link>
        </div>
        <p className="small muted">
          {text.stillLost}{' '}
          <Link className="link" to={paths.support}>
            {text.contactSupport}
          </Link>
        </p>
      </div>
    </div>
  )
}
