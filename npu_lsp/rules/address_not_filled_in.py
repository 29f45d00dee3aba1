"""NPU219: an address in which the name of a variable stands, or another thing than the program looks for."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.innermost import innermost, is_in_page, texts
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.assigned import assigned, only_value
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.launch.launch import Launch, launches
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, before
from npu_lsp.text.word_search import lines_with

_ADDRESSES = frozenset(
    {"ASCEND_MF_STORE_URL", "MS_SCHED_HOST", "MS_TFT_IP", "VLLM_ASCEND_LLMDD_RPC_IP", "MIES_CONTAINER_IP"}
)
"""Variables whose value is an address; those that take an IP address alone are told by their form."""
_INTERFACES = frozenset({"HCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME"})
_NODE = "HCCL_IF_IP"
_OF_NODES = frozenset({"MASTER_ADDR", "VLLM_HOST_IP"})  # others' variables
_LEFT_IN = re.compile(
    r"<[^<>\s]{1,60}>|[xX*](?:\.[xX*]){3}|[xX*]{2,}(?:\.[xX*\d]{1,4}){0,3}|\d{1,3}\.\d{1,3}\.[xX*]+\.[xX*]+|\d{1,3}(?:\.\d{1,3}){2}\.[xX*]+|(?i:your)[_-]\w{1,40}"
)
"""What an example shows for what each reader has another value of."""
_REDIRECTS = re.compile(r"[ \t]<")
_NIC = re.compile(r"(?:eth|bond|eno|ens|enp|enx|ib)\d[\w.]{0,14}|lo")
"""What Linux calls network interfaces."""
_NO_NIC = re.compile(r"(?i)(?:nic|network|net_?card|interface|if)_?name|网卡\w{0,20}")
_HOST = re.compile(r"(?:[a-z]+://)?(?P<host>[A-Za-z_][A-Za-z0-9_]*)(?::(?P<port>[0-9]+|[A-Z][A-Z0-9_]*))?(?:/\S*)?")
# Host names are written in small letters; others are the names of variables, and of what a reader fills in.
_MEANT = re.compile(r"IP(?![A-Z])|ADDR|HOST|MASTER|URL|SERVER|NODE_|_NODE")
_SMALL = re.compile(r"(?!your_)[a-z][a-z0-9]*(?:_[a-z0-9]+)*_(?:ip|addr|address)\d{0,2}")
"""The same in small letters: names of hosts have no `_`."""
_NO_IPV4 = re.compile(
    r"(?:[a-z]+://)?(?P<host>(?!(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.(?=\d)|(?![\d.]))){4}(?![\d.]))\d{1,3}(?:\.\d{1,3}){2,7})(?::\S*)?"
)
"""Numbers with dots that are no IPv4 address: a part is above 255, or they aren't four."""
_VARIABLE = re.compile(r"[ \t=]{1,20}(?P<word>\$)\{?(?P<name>[A-Za-z_]\w{0,60})\}?")
_OTHERWISE = re.compile(
    r"#|\b(?:echo|printf|sed|perl|awk)\b|^[ \t]{0,40}(?:-[ \t]{1,4})?[\"']?[A-Za-z_][\w-]{0,40}[\"']?:[ \t]"
)
"""What stands in front of an address that no shell is to expand: a remark, what is printed or replaced, a line of YAML."""
_URL = re.compile(r"[htg](?<![\w$].)(?:(?<=h)ttps?|(?<=t)cp|(?<=g)rpc)://(?P<host>[A-Z][A-Z0-9_]{1,40}):\d")
_PLACEHOLDER = re.compile(r"(?:[a-z]+://)?(?P<host>[^\s:/$]{0,40}[\u4e00-\u9fff][^\s:/$]{0,40})(?::\S*)?")  # `主节点IP`
_OF_COPIES = "data-parallel-address"
_OF_FIRST = frozenset({"master-addr", "master_addr", "$MASTER_ADDR", "main_process_ip", "dist-init-addr", _OF_COPIES})
"""Options that name the first node to all."""
_SELF = re.compile(r"(?P<host>localhost|127(?:\.\d{1,3}){3}|::1)(?::\d+)?")
_LOCAL = re.compile(r"[\"']?\$\{?(?i:local_?(?:ip|host|addr))\}?[\"']?")  # a variable that is called after this node
_LOOP = re.compile(r"=?lo")
_IP = re.compile(r"[\^=]*\d{1,3}(?:\.\d{1,3}){3}(?:,.*)?")


class AddressNotFilledIn(Rule):
    """An address that is the name of a variable, or of what was to be filled in.

    ## What it does
    Looks in the addresses of launches and of variables for a host in capital letters, such as `DIP1` in `DIP1:5000`: a variable of
    the script without `$`, or a placeholder that was left in, as one in Chinese is. Looks for an IP address where the name
    of a network interface belongs and the reverse, for `<port>` behind a flag of an address or a port, and for a second node that looks for the first one on itself
    (`127.0.0.1`). Pages, whose readers fill such things in, are left alone.

    ## Why is this bad?
    Nothing has that name, so that the processes wait for each other until their time is up.

    ## Fix safety
    The fix puts `$` in front of a variable's name. It is unsafe: a host may really have that name.
    """

    code = "NPU219"
    title = Text(en="Address that is not filled in", zh="地址未填写")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "variable": Text(
            en='"{option}": "{host}" is the name itself, not what the variable holds; nothing is found under it. Write "${host}".',
            zh="“{option}”：此处是字面量“{host}”，并非变量的值，无法解析。请改为“${host}”。",
        ),
        "placeholder": Text(
            en='"{option}": "{host}" is no address, but what was to be filled in; nothing is found under it. Write the address, or "${host}" where it is a variable.',
            zh="“{option}”：“{host}”不是地址，疑为未替换的占位符，无法解析。请填写实际地址；若为变量，请写“${host}”。",
        ),
        "interface": Text(
            en='"{option}" takes the name of a network interface, such as eth0; no interface is called "{host}". An address goes into "HCCL_IF_IP".',
            zh="“{option}”应填网卡名（如 eth0），不存在名为“{host}”的网卡。IP 地址请配置到“HCCL_IF_IP”。",
        ),
        "left": Text(
            en='"{option}": "{host}" is what an example shows; write the value of this machine.',
            zh="“{option}”：“{host}”是示例中的占位符，请填写本机的实际值。",
        ),
        "numbers": Text(
            en='"{option}": {host} is no address: one of IPv4 has four numbers, none above 255. No node is found under it. Write the right one.',
            zh="“{option}”：{host} 不是合法的 IPv4 地址（应为 4 段，每段不超过 255），无法找到对应节点。请填写正确的地址。",
        ),
        "shell": Text(
            en='"{option}": "{host}" is to be filled in; a shell reads a file of that name instead, and stops if there is none. Write the value.',
            zh="“{option}”：“{host}”是尚未替换的占位符，Shell 会将其当作输入重定向去读取同名文件，文件不存在即报错。请填写实际值。",
        ),
        "nic": Text(
            en='"{option}" takes an address, and "{host}" is what a network interface is called; nothing is found under it. Write the address.',
            zh="“{option}”应填 IP 地址或主机名，而“{host}”是网卡名，无法解析。请填写实际地址。",
        ),
        "empty": Text(
            en='"{option}": "{host}" is set to nothing in this script, so that no address stands here. Fill it in.',
            zh="“{option}”：脚本中的“{host}”为空，此处没有地址。请填写实际值。",
        ),
        "example": Text(
            en='"{option}": "{host}" is set to "{said}" in this script, which is what an example shows; write the value of this machine.',
            zh="“{option}”：脚本将“{host}”设为“{said}”，这是示例中的占位符，请填写本机的实际值。",
        ),
        "url": Text(
            en='"{host}" is the name itself, not what the variable holds; nothing is found under it. Write "${host}".',
            zh="此处是字面量“{host}”，并非变量的值，无法解析。请改为“${host}”。",
        ),
        "loop": Text(
            en='"{option}" is "{host}", which no other node reaches, and there are {nodes}: they wait for each other until their time is up. Name what the nodes are connected by.',
            zh="“{option}”为“{host}”，其他节点无法访问，而共有 {nodes} 个节点，建链会一直等待直至超时。请改为节点间互通的网卡或 IP。",
        ),
        "family": Text(
            en='"{option}" is an address of {family}, and "{other}" one of {its}: the nodes can\'t meet. Take one family for both.',
            zh="“{option}”为 {family} 地址，而“{other}”为 {its} 地址，节点间无法建链。请统一地址族。",
        ),
        "itself": Text(
            en='"{option}": this is node {rank} of {nodes}, counted from 0, and "{host}" is this node itself: it waits for a first one that isn\'t there. Write the address of node 0.',
            zh="“{option}”：本节点序号为 {rank}（共 {nodes} 个节点，从 0 开始），而“{host}”指向本机，无法与首节点会合。请填写节点 0 的地址。",
        ),
        "copies": Text(
            en='"{option}": the copies from {rank} on (of {nodes}) stand behind those of the first node, and "{host}" is this node itself: it waits for a first one that isn\'t there. Write the address of the first node.',
            zh="“{option}”：本节点从第 {rank} 个副本开始（共 {nodes} 个），并非首节点，而“{host}”指向本机，无法与首节点会合。请填写首节点地址。",
        ),
        "expand": Text(en='Write "${host}"', zh="改为“${host}”"),
    }
    VALID = (
        "torchrun --master_addr 10.0.0.1 a.py\ntorchrun --master_addr $MASTER_IP a.py\n",
        "vllm serve m --host my-node.ip --data-parallel-address 192.168.255.250\n",
        "cat > a.sh <<EOF\nvllm serve m --host local_ip\nEOF\nsed -i s/local_ip/$1/ a.sh\n",
        "MASTER_IP=\nsource ./nodes.sh\ntorchrun --master_addr $MASTER_IP a.py\n",
        "HOST=1\nexport HCCL_BUFFSIZE=1\nsed -i s#http://HOST:80#a# a.yaml\necho http://HOST:80\ncurl http://$HOST # http://HOST:80\n",
        "HOST=1\nexport HCCL_BUFFSIZE=1\ncat > a.yaml <<EOF\nurl: http://HOST:80\nEOF\n",
        Valid(
            "services:\n  vllm_addr:\n    image: ascend/image\n  b:\n    image: ascend/image\n    command: vllm serve m --host vllm_addr\n",
            Kind.YAML,
        ),
        Valid("a: |\n  ```sh\n  export HCCL_IF_IP=<ip>\n  vllm serve m --host <host_ip>\n  ```\n", Kind.YAML),
        "torchrun --master_addr master-0 a.py\n",
        # The first node meets the others on itself, and nodes may be tried on one machine.
        "".join(f"torchrun --nnodes 2 --node_rank {rank} --master_addr localhost a.py &\n" for rank in (0, 1)),
        "export HCCL_SOCKET_IFNAME=eth0,enp189s0f0\nexport HCCL_IF_IP=127.0.0.1\ntorchrun -m a\ntorchrun --nnodes 2 --node_rank 0 --master_addr 127.0.0.1 a.py\n",
        Valid(
            'def start(ip):\n    run(["vllm", "serve", "m", "--data-parallel-address", ip])\n\nstart(\n    ip=args.ip,\n)\n',
            Kind.PYTHON,
        ),
        Valid("```bash\nexport HCCL_IF_IP=<ip> MASTER_ADDR=<ip> MS_SCHED_HOST=PIP\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        "MASTER_IP=10.0.0.1\ntorchrun --nnodes 2 --node_rank 0 --master_addr «MASTER_IP→$MASTER_IP» train.py\n",
        "export HCCL_BUFFSIZE=1\nP_IP=('10.0.0.1')\nrouter --prefill http://«P_IP→$P_IP»:8000 8998\n",
        told("MASTER_IP=\ntorchrun --nnodes 2 --node_rank 0 --master_addr «$MASTER_IP» train.py\n", "info"),
        told("export HCCL_IF_IP=«xxx.xxx.xxx.xxx»\n", "info"),
        told('nic="xxxx"\nexport HCCL_SOCKET_IFNAME=«$nic»\nH=<ip>\nvllm serve m --host «$H»\n', "info"),
        told('i=""\nexport HCCL_SOCKET_IFNAME=«$i»\nvllm serve m --host «xxx.xxx.xxx.xxx» --port 8000\n', "info"),
        told("vllm serve m --host «<host_ip>» --port «<port>» --tensor-parallel-size 4\n"),
        told('vllm serve m --host «"<host_ip>"» --tensor-parallel-size 4\n', "info"),
        told('containers:\n- image: a\n  command: [vllm, serve, m, --host, «"<host_ip>"»]\n', "info", Kind.YAML),
        told("torchrun --nnodes 2 --node_rank 0 --master_addr «eth0» a.py\n"),
        told("export VLLM_HOST_IP=«10.0.0»\nvllm serve m --host «local_ip»\nvllm serve m --host «192.168.0.256»\n"),
        told("export HCCL_SOCKET_IFNAME=«your_nic»\nexport HCCL_SOCKET_IFNAME=«nic_name»\n", "info"),
        told('export HCCL_BUFFSIZE=1\nexport MASTER_ADDR=«"<ip>"»\nexport VLLM_HOST_IP=«your_ip»\n', "info"),
        *(
            told(f"export {name}={value}\ntorchrun --nnodes 2 --node_rank 1 --master_addr {first} a.py\n")
            for name, value, first in (
                ("HCCL_IF_IP", "«127.0.0.1»", "10.0.0.1"),
                ("HCCL_SOCKET_IFNAME", "«lo»", "10.0.0.1"),
                ("HCCL_IF_IP", "«10.0.0.1»", "fe80::1"),
                ("HCCL_IF_IP", "10.0.0.2", "«10.0.0.2»"),
            )
        ),
        told("vllm serve m --data-parallel-size 2 --data-parallel-address «主节点IP»\n"),
        "FIRST=10.0.0.1\nray start --address=«FIRST→$FIRST»:6379\n",
        told("export ASCEND_MF_STORE_URL=tcp://«PIP1»:24669\n"),
        told(
            "torchrun --rdzv_endpoint=«HEAD_NODE_IP»:29400 a.py\nvllm serve m --data-parallel-address «NODE0_IP»\n"
            "export MS_SCHED_HOST=«MASTER_ADDR»\n"
        ),
        "nic=eth0\nexport HCCL_SOCKET_IFNAME=«nic→$nic»\n",
        told(
            "export HCCL_SOCKET_IFNAME=«192.168.1.1»\ntorchrun --nnodes 2 --node_rank 1 --master_addr «127.0.0.1» a.py\n"
        ),
        told("vllm serve m --headless -dp 4 --data-parallel-start-rank 2 --data-parallel-address «$local_ip»\n"),
        told("NNODES=2 NODE_RANK=1 MASTER_ADDR=«127.0.0.1» NPROC_PER_NODE=8 swift sft --model m\n"),
    )

    def concerns(self, option: Option) -> bool:
        """Look at variables whose value is an address or a network interface."""
        return option.name in _ADDRESSES or option.name in _INTERFACES or option.name == _NODE

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        if is_in_page(context.document, setting.key.start):
            return
        if _is_left_in(setting, context):
            yield self._left_in(setting, context)
        elif option.name in _INTERFACES and setting.value.known and _IP.fullmatch(str(setting.value.data)):
            yield self.finding(context, setting.value.inside, "interface", of=option, host=setting.value.data)
        else:
            yield from self._address(setting, context)

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at the addresses that a script gives to anybody: a router is told of its servers so."""
        if context.document.kind in PAGES or not context.parsed.blocks:
            return
        known = {setting.value.inside.start for block in context.parsed.blocks for setting in block.settings}
        yield from self._of_nodes(context)
        for place in texts(context.document):
            for own in _urls(place.document) if place.document.kind is Kind.SHELL else ():
                span = place.content(own)
                if span is not None and span.start - len("http://") not in known:
                    host = context.text(span)
                    edits = _expanded(span, host, context)
                    fixes = self.fix(context, "expand", edits, Safety.UNSAFE, host=host)
                    yield self.finding(context, span, "url", fixes=fixes, host=host)

    def _of_nodes(self, context: Context) -> Iterator[Finding]:
        for setting in (each for block in context.parsed.blocks for each in block.settings if each.name in _OF_NODES):
            if setting.surface.row.environment and not is_in_page(context.document, setting.key.start):
                left = _is_left_in(setting, context)
                yield from [self._left_in(setting, context)] if left else self._unfilled(setting, context)

    def _left_in(self, setting: Setting, context: Context) -> Finding:
        said = _said(setting, context)
        return self.finding(context, setting.value.inside, "left", of=setting, severity=Severity.INFO, host=said)

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        if is_in_page(context.document, launch.span.start):
            return
        for port in launch.program.ports:
            if (setting := next(reversed(launch.settings(port.option)), None)) is not None:
                yield from self._left(setting, context)
        for option in launch.program.addresses:
            setting = next(reversed(launch.settings(option)), None)
            if setting is not None:
                yield from self._left(setting, context)
                yield from self._address(setting, context)
                if option in _OF_FIRST:
                    yield from self._itself(launch, option, setting, context)
        if launch.nodes is not None and launch.nodes.number > 1:
            yield from self._network(launch, launch.nodes.number, context)

    def _left(self, setting: Setting, context: Context) -> Iterator[Finding]:
        """Look for what an example shows in the place of a flag's value, and for an interface in that of an address."""
        value = setting.value
        if setting.surface.row.environment:
            return
        if value.known and _NIC.fullmatch(str(value.data)) and setting.name in _OF_FIRST:
            yield self.finding(context, value.inside, "nic", of=setting, host=value.data)
        elif _is_left_in(setting, context):
            here = innermost(context.document, value.inside.start)
            # The words of a list, and what stands in quotes, are no redirection.
            if here.document.kind is Kind.SHELL and _REDIRECTS.match(here.document.text, max(0, here.offset - 1)):
                yield self.finding(context, value.inside, "shell", of=setting, host=_said(setting, context))
            else:
                yield self._left_in(setting, context)

    def _network(self, launch: Launch, nodes: int, context: Context) -> Iterator[Finding]:
        """Look for what reaches no other node, and for addresses of two families."""
        node = launch.environment.value(_NODE)
        first = next((each for o in launch.program.addresses if o in _OF_FIRST and (each := launch.setting(o))), None)
        meets_here = first is not None and _SELF.fullmatch(str(first.value.data)) is not None
        loops = [(node, _SELF), *((launch.environment.value(name), _LOOP) for name in sorted(_INTERFACES))]
        for setting, loop in loops if not meets_here else ():
            if setting is not None and loop.fullmatch(str(setting.value.data)):
                host = setting.value.data
                yield self.finding(context, setting.value.inside, "loop", of=setting, host=host, nodes=nodes)
        families = [(each, family) for each in (node, first) if each is not None and (family := _family(each))]
        if len(families) > 1 and families[0][1] != families[1][1]:
            (setting, mine), (other, its) = families
            seen, at = self.set_here(context, other), setting.value.inside
            yield self.finding(context, at, "family", of=setting, related=seen, family=mine, other=other.name, its=its)

    def _itself(self, launch: Launch, option: str, setting: Setting, context: Context) -> Iterator[Finding]:
        row = launch.program
        counted = (row.first, row.copies) if option == _OF_COPIES else (row.rank, row.nodes)
        rank, nodes = (launch.number(each) if each is not None else None for each in counted)
        said = str(setting.value.data) if setting.value.known else None
        host = _SELF.fullmatch(said) if said is not None else None
        # What this node calls itself is another node's address nowhere.
        own = {str(each.value.data) for name in (_NODE, "VLLM_HOST_IP") if (each := launch.environment.value(name))}
        mine = host is not None or said in own or _LOCAL.fullmatch(context.text(setting.value.inside)) is not None
        if not mine or rank is None or not rank.number or nodes is None:
            return
        if nodes.number > 1 and not any(
            other is not launch and other.program is launch.program for other in launches(context)
        ):
            span = setting.value.part(*host.span("host")) if host is not None else setting.value.inside
            form, said = "copies" if option == _OF_COPIES else "itself", context.text(span)
            yield self.finding(context, span, form, of=setting, rank=rank.number, nodes=nodes.number, host=said)

    def _address(self, setting: Setting, context: Context) -> Iterator[Finding]:
        value = setting.value
        # A word that is to be filled in is no known value, and may be the name of a variable all the same.
        said = value.data if value.known else context.text(value.inside)
        if not isinstance(said, str):
            return
        yield from self._unfilled(setting, context)
        yield from self._no_host(setting, "placeholder", _PLACEHOLDER.fullmatch(str(value.data)), context)
        match = _HOST.fullmatch(said)
        if match is None:
            return
        host = match["host"]
        here = innermost(context.document, setting.key.start)
        if not value.known and here.document.kind is not Kind.SHELL:
            return  # It is what Python calls something, whose value nobody knows.
        is_variable = host in assigned(here.document)
        named = setting.name not in _INTERFACES and _is_meant(host, value.known)
        if not is_variable and (not named or _is_replaced(host, context.document.text)):
            return
        span = value.part(*match.span("host"))
        edits = _expanded(span, host, context) if is_variable else ()
        fixes = self.fix(context, "expand", edits, Safety.UNSAFE, host=host)
        message = "variable" if is_variable else "placeholder"
        yield self.finding(context, span, message, of=setting, fixes=fixes, host=host)

    def _no_host(self, setting: Setting, form: str, left: re.Match[str] | None, context: Context) -> Iterator[Finding]:
        if left is not None and (form, setting.name) != ("numbers", _NODE):
            yield self.finding(context, setting.value.part(*left.span("host")), form, of=setting, host=left["host"])

    def _unfilled(self, setting: Setting, context: Context) -> Iterator[Finding]:
        """Look for no address, and a variable to which a script gives nothing, or what an example shows, before it uses it."""
        yield from self._no_host(setting, "numbers", _NO_IPV4.fullmatch(str(setting.value.data)), context)
        name = _VARIABLE.match(context.document.text, setting.key.end)
        given = (
            only_value(innermost(context.document, setting.key.start).document, name["name"])
            if name is not None
            else None
        )
        if name is not None and given is not None and (not given or _LEFT_IN.fullmatch(given)):
            if not given and setting.surface.row.environment and setting.name not in _INTERFACES:
                return
            span, form = Span(name.start("word"), name.end()), "example" if given else "empty"
            yield self.finding(context, span, form, of=setting, severity=Severity.INFO, host=name["name"], said=given)


def _said(setting: Setting, context: Context) -> str:
    return context.text(setting.value.inside).strip("\"'")


def _is_left_in(setting: Setting, context: Context) -> bool:
    """Return whether what an example shows stands for a value."""
    said = _said(setting, context)
    if setting.name in _INTERFACES and _NO_NIC.fullmatch(said):
        return said not in assigned(context.document)
    return not setting.value.known and _LEFT_IN.fullmatch(said) is not None


def _urls(document: Document) -> Iterator[Span]:
    """Yield the hosts in the addresses of a script that are called as one of its variables."""
    text = document.text
    for match in _URL.finditer(text):
        said = before(text, match.start()) if match["host"] in assigned(document) else None
        if said is not None and not _OTHERWISE.search(said):
            yield Span(*match.span("host"))


def _is_meant(host: str, known: bool) -> bool:
    """Return whether a host is called as variables are."""
    return (known and host.isupper() and _MEANT.search(host) is not None) or _SMALL.fullmatch(host) is not None


def _is_replaced(host: str, text: str) -> bool:
    """Return whether a script fills in a placeholder itself, or a text calls a container or a service so."""
    called = re.compile(rf"(?:name|alias)[\"' \t:=]{{1,9}}{host}\b|[ \t]*[\"']?{host}[\"']?:[ \t]*(?:#.*|&\S+)?\Z")
    return any(host in text[slice(*line)] for line in lines_with(text, "sed ", "perl ", "awk ")) or any(
        called.search(text[slice(*line)].rstrip()) for line in lines_with(text, host)
    )


def _family(setting: Setting) -> str | None:
    """Return the family of an address; `None` for a name."""
    said = str(setting.value.data).rpartition("//")[2].strip("[]")
    if _IP.fullmatch(said.partition(":")[0]):
        return "IPv4"
    return "IPv6" if said.count(":") > 1 else None


def _expanded(span: Span, host: str, context: Context) -> tuple[Edit, ...]:
    """Return what puts the sign in front of a variable's name, where a shell sees it."""
    here = innermost(context.document, span.start)
    text, at = here.document.text, here.offset
    if here.document.kind is not Kind.SHELL or not text.startswith(host, at) or text[at - 1 : at] == "'":
        return ()
    return here.edits([Edit(Span(at, at), "$")])
