r"""What is a secret in any text, whatever printed it: group 1 of each pattern is masked before text reaches the disk.

Switch platforms add those of their own grammar. Every repetition is bounded or cannot be entered at two places, so
that no text takes more than linear time.

Sources: crypt(5) for hashes; RFC 7468 for PEM; RFC 3986 section 3.2.1 for passwords in URLs; RFC 6750 for bearer
tokens; the forms of obfuscated keys are those of Junos (``$9$``), Comware (``$c$3$``, ``$h$6$``) and VRP (``$1c$``).
"""

_NAMES = r"passw(?:or)?d|pass(?:phrase|key)|secret|token|(?:api|access|private)[_-]?key|credentials?|\bpwd"

ANYWHERE = (
    r"(\$(?:[156789]|2[aby]|y|gy|sha1|[ch]\$\d{1,2}|1[acd])\$[^\s\"',;:]+)",
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----([^-]+)",
    rf"(?i)(?:{_NAMES})[\w.-]{{0,40}}[\"']?[ \t]{{0,4}}[=:][ \t]{{0,4}}[\"']?([^\s\"',;{{}}\[\]]+)",
    r"://[^\s/:@]{1,80}:([^\s/@]+)@",
    r"\b[Bb]earer ([\w.~+/=-]{8,})",
)

_TYPE = r"(?:\d{1,2}|8a|sha512|sha-256|hash|encrypted|cipher|irreversible-cipher|simple|plain)"
_NO_WORD = r"(?!(?:profile|role|policy|lifetime|chain|encryption|level|is|for|must|was|of)\b)"
"""What follows the word where it is no secret: settings of systems, and sudo's "a password is required"."""
_HASH = r"(?:md5|sha\S{0,8}|hmac-\S{1,12}|cmac\S{0,10})"
_CIPHER = r"(?:aes\S{0,8}|des\S{0,5}|3des\S{0,5})"
_WORDS = r"(?:secret|password|passphrase|bindpw|(?:shared|pre-shared)-key|key-(?:octet-)?string)"
_KEY = r"(?<![\w-])(?<!crypto )key (?:(?:authentication|accounting|authorization) )?"
_ALONE = r"\d+[\"']?[ \t]*$"
_OF_HOST = r"(?:(?:vrf|use-vrf|port|udp-port) \S+ |traps |informs |version v?(?:1|2c) |community )"
_NOT_OF_HOST = (
    r"(?!(?:version|vrf|use-vrf|filter-vrf|port|udp-port|traps|informs|source-interface|community|interface)\b)"
)

CLI = (
    rf"\b{_WORDS} (?:{_TYPE} ){{0,3}}[\"']?{_NO_WORD}([^\s\"';]+)",
    rf"{_KEY}(?:{_TYPE} ){{0,2}}[\"']?{_NO_WORD}(?!{_ALONE})([^\s\"';]+)",
    r"\bsnmp-server community [\"']?([^\s\"']+)",
    rf"\bsnmp-server host \S+ {_OF_HOST}{{0,6}}{_NOT_OF_HOST}[\"']?([^\s\"']+)",
    rf"\b(?:auth|priv) (?:{_HASH}|{_CIPHER}) (?:\d )?[\"']?(?!(?:auth|priv)-password\b)([^\s\"']+)",
    r"\bpriv (0x\w+)",
    rf"\b(?:authentication-key|message-digest-key) (?:\d{{1,5}} )?(?:{_HASH} )?(?:(?:\d|encrypted) )?[\"']?([^\s\"']+)",
    r"\bauthentication(?:-type)? (?:text|simple-text) [\"']?([^\s\"']+)",
)
"""Of command lines in the manner of Cisco's, which EOS, NX-OS, OS10, Onyx and the klish of Enterprise SONiC share."""
