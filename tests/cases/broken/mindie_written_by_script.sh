#!/bin/bash
# What a script writes is read as the file that it becomes.
cat > "$MIES_INSTALL_PATH/conf/config.json" <<'EOF'
{
    "ServerConfig": {
        "httpsEnabled": "false",
        "inferMode": "stander",
        "maxLinkNum": 1000
    }
}
EOF

# What is filled in is known to nobody here.
cat > "$MIES_INSTALL_PATH/conf/config.json" <<EOF
{
    "ServerConfig": {
        "port": $PORT,
        "inferMode": "stander",
        "maxLinkNum": 1000
    }
}
EOF
