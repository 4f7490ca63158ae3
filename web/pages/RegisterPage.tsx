import { plans } from '@keepsnap/contract/plans.ts'
import { Link, useLocation } from 'react-router'
import { RegisterForm } from '../features/session/RegisterForm.tsx'
import { useText } from '../lib/i18n.tsx'
import { paths } from '../lib/paths.ts'
import photo from '../pictures/dance-720.webp'
import back from '../pictures/table-1200.webp'
import { AuthLayout } from './AuthLayout.tsx'
import { frame } from '../messages/en/frame.ts'
import { session } from '../messages/en/session.ts'

export function RegisterPage() {
  const text = useText({ session }).register
  const { links } = useText({ frame })
  const { search } = useLocation()
  const lead = text.lead(plans.free.features.max_photos)
  return (
    <AuthLayout title={text.title} heading={text.heading} lead={lead} side={{ back, photo, sample: 'dance' }}>
      <RegisterForm />
      <p className="small muted">
        {text.agree[0]}
        <Link to={paths.terms}>{links.terms}</Link>
        {text.agree[1]}
        <Link to={paths.privacy}>{links.privacy}</Link>
        {text.agree[2]}
      </p>
      <p className="small muted">
        {text.haveAccount}{' '}
        <Link className="link" to={paths.login + search}>
          {text.login}
        </Link>
      </p>
    </AuthLayout>
  )
}
