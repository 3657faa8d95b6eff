/** Verifies a detached OpenPGP signature with `openpgp`, and turns its errors into sentences. */

/** Throws a sentence unless `signature` (binary) is a valid signature of `bytes` by one of the keys in `armored_key`. */
export async function requireSignature(bytes: Uint8Array, signature: Uint8Array, armored_key: string): Promise<void> {
  // Imported only when needed, because the library is large and most starts fetch nothing.
  const { createMessage, readKeys, readSignature, verify } = await import('openpgp')
  const verificationKeys = await readKeys({ armoredKeys: armored_key })
  const read = await readSignature({ binarySignature: signature }).catch(() => {
    throw new Error('the signature of the checksums cannot be read')
  })
  const message = await createMessage({ binary: bytes })
  await verify({ message, signature: read, verificationKeys, expectSigned: true, format: 'binary' }).catch(cause => {
    throw new Error("the checksums are not signed with yt-dlp's key", { cause })
  })
}
