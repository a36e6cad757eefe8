import { createContext, useContext } from "react";

/** The document's script nonce; undefined in the browser, which hides it. */
export const NonceContext = createContext<string | undefined>(undefined);

export const useNonce = () => useContext(NonceContext);
