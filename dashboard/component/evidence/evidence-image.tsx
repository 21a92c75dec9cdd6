import { useEffect, useState } from 'react';

interface Props {
  readonly base64: string;
  readonly type: string;
  readonly path: string;
}

/** A PNG, JPEG or WebP image from its bytes; never from a URL, and never SVG. */
export function EvidenceImage({ base64, type, path }: Props) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [base64, type]);
  return address === undefined ? null : <img className="evidence-image" src={address} alt={path} />;
}
