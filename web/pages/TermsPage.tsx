import { LegalDocumentPage } from './LegalDocumentPage.tsx'

export const TermsPage = () => <LegalDocumentPage document="terms" />
